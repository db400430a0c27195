import type { Bank } from '../../alerts/banks/bank.ts';
import type { Form } from '../../base/http/form.ts';
import type { Html } from '../../base/http/html.ts';
import { type AccountFault, mostPayeeName } from '../../business/merchants/read-upi-account.ts';
import type { Texts } from '../../texts/languages.ts';
import { hidden, postForm, radioField, typedFields } from '../frame/controls.ts';
import { bankFields, type FormFault } from './bank-fields.ts';

/** The fields of a new account; also a step of the first steps, which then leads back there. */
export function accountForm(
  texts: Texts,
  banks: readonly Bank[],
  form: Form,
  fault: FormFault | null,
  next: string,
): Html {
  const words = texts.upiAccounts;
  const error = (name: AccountFault) => (fault?.fault === name ? fault.text : undefined);
  const input = typedFields(form, error);
  const vpa = { hint: words.vpaHint, autocomplete: 'off', inputmode: 'email', maxlength: 320 } as const;
  return postForm({
    action: '/dashboard/upi-accounts',
    submit: words.submit,
    fields: [
      hidden({ next }),
      input('vpa', words.vpa, { ...vpa, required: true }),
      input('payee_name', words.payeeName, {
        hint: words.payeeHint,
        maxlength: mostPayeeName,
        required: true,
      }),
      ...bankFields(texts, banks, form, fault),
      radioField({
        name: 'kind',
        label: words.kind,
        value: form.text('kind') || 'personal',
        error: error('kind'),
        choices: [
          { value: 'personal', text: words.personal, hint: words.personalHint },
          { value: 'merchant', text: words.merchant, hint: words.merchantHint },
        ],
      }),
      input('merchant_code', `${words.code} (${texts.shell.optional})`, {
        hint: words.codeHint,
        inputmode: 'numeric',
        maxlength: 4,
      }),
    ],
  });
}

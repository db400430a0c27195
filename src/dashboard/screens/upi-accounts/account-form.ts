import type { Bank } from '../../../alerts/bank.ts';
import type { Form } from '../../../http/form.ts';
import type { Html } from '../../../http/html.ts';
import { type AccountFault, mostPayeeName } from '../../../merchants/read-upi-account.ts';
import type { Texts } from '../../../texts/languages.ts';
import { field, hidden, postForm, radioField } from '../../components/controls.ts';
import { bankFields } from './bank-fields.ts';

export type FormFault = { fault: AccountFault; text: string };

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
  const optional = (label: string) => `${label} (${texts.shell.optional})`;
  return postForm({
    action: '/dashboard/upi-accounts',
    submit: words.submit,
    fields: [
      hidden({ next }),
      field({
        name: 'vpa',
        label: words.vpa,
        hint: words.vpaHint,
        value: form.text('vpa'),
        error: error('vpa'),
        autocomplete: 'off',
        inputmode: 'email',
        maxlength: 320,
        required: true,
      }),
      field({
        name: 'payee_name',
        label: words.payeeName,
        hint: words.payeeHint,
        value: form.text('payee_name'),
        error: error('payee_name'),
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
      field({
        name: 'merchant_code',
        label: optional(words.code),
        hint: words.codeHint,
        value: form.text('merchant_code'),
        error: error('merchant_code'),
        inputmode: 'numeric',
        maxlength: 4,
      }),
    ],
  });
}

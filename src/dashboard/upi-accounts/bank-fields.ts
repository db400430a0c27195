import type { Bank } from '../../alerts/banks/bank.ts';
import { canConfirm, printedDigits, supportOf, whyUnread } from '../../alerts/banks/bank-support.ts';
import type { Form } from '../../base/http/form.ts';
import type { Html } from '../../base/http/html.ts';
import { type AccountFault, mostPayeeName } from '../../business/merchants/read-upi-account.ts';
import type { Texts } from '../../texts/languages.ts';
import { hidden, postForm, radioField, selectField, typedFields } from '../frame/controls.ts';

export function bankFields(texts: Texts, banks: readonly Bank[], form: Form, fault: FormFault | null) {
  const words = texts.upiAccounts;
  const error = (name: string) => (fault?.fault === name ? fault.text : undefined);
  return [
    bankPicker(texts, banks, {
      label: texts.labels.bank,
      hint: words.bankHint,
      value: form.text('bank'),
      error: error('bank'),
    }),
    typedFields(form, error)('account_digits', words.digits, {
      hint: words.digitsHint,
      inputmode: 'numeric',
      maxlength: 6,
    }),
  ];
}

export function bankPicker(
  texts: Texts,
  banks: readonly Bank[],
  { label, hint, value, error }: { label: string; hint?: string; value: string; error?: string | undefined },
): Html {
  const groups = (['confirmed', 'unconfirmed', 'unknown', 'cannot', 'closed'] as const).map(support => ({
    label: texts.banks.groups[support],
    choices: banks
      .filter(bank => supportOf(bank) === support)
      .map(bank => ({ value: bank.id, text: bank.name })),
  }));
  const choices = [{ value: '', text: '–' }, ...groups.filter(group => group.choices.length > 0)];
  return selectField('bank', label, { value, error, choices, ...(hint !== undefined && { hint }) });
}

export function bankFaultText(
  texts: Texts,
  banks: readonly Bank[],
  fault: 'bank' | 'account_digits',
  form: Form,
): FormFault {
  const words = texts.upiAccounts;
  const bank = banks.find(one => one.id === form.text('bank'));
  if (bank && !canConfirm(bank)) return { fault: 'bank', text: whyUnread(texts, bank) };
  if (fault === 'bank' || !bank) return { fault: 'bank', text: words.faults.bank };
  const count = printedDigits(bank);
  return {
    fault,
    text: count === 0 ? words.faults.account_digits : words.digitsFault({ bank: bank.name, count }),
  };
}

export type FormFault = { fault: AccountFault; text: string };

/** A new account's fields. The first steps use them too, and the form then leads back there. */
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
  return postForm('/dashboard/upi-accounts', words.submit, [
    hidden({ next }),
    input('vpa', words.vpa, { ...vpa, required: true }),
    input('payee_name', words.payeeName, {
      hint: words.payeeHint,
      maxlength: mostPayeeName,
      required: true,
    }),
    ...bankFields(texts, banks, form, fault),
    radioField('kind', words.kind, {
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
  ]);
}

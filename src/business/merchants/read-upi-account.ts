import { readName } from '../../base/read-name.ts';
import type { NewUpiAccount } from './queries.ts';

/** The wrong field; the screen shows the reason next to it. */
export type AccountFault = 'vpa' | 'payee_name' | 'kind' | 'merchant_code' | BankFault;
export type BankFault = 'bank' | 'account_digits';

/** NPCI's form: a name of at least two characters, and the bank's handle. */
export const vpaForm = /^[a-z0-9][a-z0-9._-]{1,254}@[a-z][a-z0-9]{1,63}$/;
export const mostPayeeName = 99;

type TypedBank = { bank: string; accountDigits: string };
type Typed = TypedBank & { vpa: string; payeeName: string; kind: string; merchantCode: string };

export type BankChoice = { id: string; printedDigits: number };
export type AccountBank = { bank: string; accountDigits: string | null };

export function readUpiAccount(
  typed: Typed,
  banks: readonly BankChoice[],
): { account: NewUpiAccount } | { fault: AccountFault } {
  const vpa = typed.vpa.trim().toLowerCase();
  if (!vpaForm.test(vpa)) return { fault: 'vpa' };
  const payeeName = readName(typed.payeeName, mostPayeeName);
  // UPI apps may not show invisible characters, such as joiners, correctly.
  if (payeeName === null || /\p{Cf}/u.test(payeeName)) return { fault: 'payee_name' };
  const { kind } = typed;
  if (kind !== 'personal' && kind !== 'merchant') return { fault: 'kind' };
  const merchantCode = typed.merchantCode.trim();
  // A bank assigns a category code only to a merchant account.
  if (merchantCode !== '' && (kind === 'personal' || !/^[0-9]{4}$/.test(merchantCode)))
    return { fault: 'merchant_code' };
  const read = readAccountBank(typed, banks);
  if ('fault' in read) return read;
  return { account: { vpa, payeeName, kind, merchantCode: merchantCode || null, ...read } };
}

/** R13: needs the bank and at least as many digits as its alerts print. Of more digits, only the last are compared. */
export function readAccountBank(
  typed: TypedBank,
  banks: readonly BankChoice[],
): AccountBank | { fault: BankFault } {
  const bank = banks.find(one => one.id === typed.bank);
  if (!bank) return { fault: 'bank' };
  const digits = typed.accountDigits.trim();
  const isLong = digits.length >= bank.printedDigits;
  if (!isLong || (digits !== '' && !/^[0-9]{2,6}$/.test(digits))) return { fault: 'account_digits' };
  return { bank: bank.id, accountDigits: digits || null };
}

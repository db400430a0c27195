import { codePoints, isStorable } from '../http/text.ts';
import type { NewUpiAccount } from './add-upi-account.ts';

/** What is wrong with an account that somebody typed; the screen says it beside the field. */
export type AccountFault = 'vpa' | 'payee_name' | 'kind' | 'merchant_code' | 'account_digits';

/** NPCI's form of a virtual payment address: a name of at least two characters, and the bank's handle. */
const vpaForm = /^[a-z0-9][a-z0-9._-]{1,254}@[a-z][a-z0-9]{1,63}$/;
const mostPayeeName = 99;

type Typed = { vpa: string; payeeName: string; kind: string; merchantCode: string; accountDigits: string };

/** An account that can stand in a UPI link, or the field that is wrong. */
export function readUpiAccount(typed: Typed): { account: NewUpiAccount } | { fault: AccountFault } {
  const vpa = typed.vpa.trim().toLowerCase();
  if (!vpaForm.test(vpa)) return { fault: 'vpa' };
  const payeeName = typed.payeeName.trim().replace(/\s+/g, ' ');
  if (payeeName === '' || codePoints(payeeName) > mostPayeeName || !isStorable(payeeName))
    return { fault: 'payee_name' };
  if (/\p{Cc}|\p{Cf}/u.test(payeeName)) return { fault: 'payee_name' };
  const { kind } = typed;
  if (kind !== 'personal' && kind !== 'merchant') return { fault: 'kind' };
  const merchantCode = typed.merchantCode.trim();
  // A category code is given by the bank with a merchant account; a personal one has none (design §8).
  if (merchantCode !== '' && (kind === 'personal' || !/^[0-9]{4}$/.test(merchantCode)))
    return { fault: 'merchant_code' };
  const accountDigits = typed.accountDigits.trim();
  if (accountDigits !== '' && !/^[0-9]{2,6}$/.test(accountDigits)) return { fault: 'account_digits' };
  return {
    account: {
      vpa,
      payeeName,
      kind,
      merchantCode: merchantCode || null,
      accountDigits: accountDigits || null,
    },
  };
}

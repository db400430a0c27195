import type { Counted } from './counted.ts';
import { accountDigits } from './merchants.ts';
import type { FoundBy, ModelMail, ModelOrder } from './order-and-mail.ts';

/** The possible results of money that needs a person, written from the rules and not taken from the code. */

export function pay(order: ModelOrder, mail: ModelMail, at: number): void {
  if (order.beside !== null) order.beside.handled = 'open';
  const byOrderless = mail.takenAt !== null;
  Object.assign(order, {
    paidAt: at,
    reference: mail.reference,
    received: mail.amount,
    beside: null,
    byOrderless,
  });
}

export function attach(mail: ModelMail, order: ModelOrder, foundBy: FoundBy): void {
  Object.assign(mail, { handled: 'attached', givenTo: order, foundBy });
  order.beside = mail;
  order.received = mail.amount;
}

/** Without the offset, whole rupees down or to the nearest, the two digits swapped, or one of them wrong. */
export function isNearMiss(sum: number, { amount, payable }: ModelOrder): boolean {
  if (sum === payable) return false;
  if ([amount, Math.floor(payable / 100) * 100, Math.round(payable / 100) * 100].includes(sum)) return true;
  const [paid, asked] = [sum, payable].map(one => String(one).padStart(3, '0')) as [string, string];
  if (paid.slice(0, -2) !== asked.slice(0, -2)) return false;
  const [a, b] = [paid.slice(-2), asked.slice(-2)] as [string, string];
  return (a[0] === b[1] && a[1] === b[0]) || a[0] === b[0] || a[1] === b[1];
}

export const actions = ['attach', 'accept', 'decline', 'give back', 'keep', 'reopen', 'not there'] as const;
export type Action = (typeof actions)[number];

export const credits = ['no_order', 'too_late', 'extra_payment'];

export function refusalOf(
  counted: Counted,
  action: Action,
  mail: ModelMail,
  order: ModelOrder,
): string | null {
  const isTogether = order.beside === mail;
  const isUntouched = mail.handled === null || mail.handled === 'open';
  if (action === 'reopen') return mail.handled === 'accepted' ? 'credit_taken' : null;
  if (action === 'not there') return mail.handled === 'attached' ? null : 'credit_taken';
  if (action === 'decline') {
    if (order.merchant !== mail.merchant) return 'unknown_order';
    if (!isTogether) return order.paidAt === null ? 'credit_taken' : 'order_paid';
    return counted.isFor(mail) ? null : 'credit_taken';
  }
  if (!credits.includes(mail.verdict)) return mail.verdict === 'paid' ? 'credit_taken' : 'not_genuine';
  if (action === 'keep' || action === 'give back') {
    const isOver = !isUntouched && mail.handled !== 'to_give_back';
    return isOver || !counted.isFor(mail) ? 'credit_taken' : null;
  }
  if (order.merchant !== mail.merchant) return 'unknown_order';
  if (order.paidAt !== null) return 'order_paid';
  if (mail.digits !== accountDigits[order.account]) return 'other_account';
  if (isTogether && action === 'attach') return null;
  if (!isUntouched && !isTogether) return 'credit_taken';
  if (order.beside !== null && !isTogether) return 'order_waits_for_another';
  return counted.isFor(mail) ? null : 'credit_taken';
}

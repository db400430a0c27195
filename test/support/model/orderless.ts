import { minute } from '../../../src/base/clock.ts';
import type { ModelMail, ModelOrder, Verdict } from './order-and-mail.ts';

type History = { orders: readonly ModelOrder[]; mails: ReadonlyMap<string, ModelMail> };

export function orderlessOf({ mails }: Pick<History, 'mails'>): ModelMail[] {
  return [...mails.values()].filter(({ takenAt }) => takenAt !== null);
}

/** All that ever counted to a month: payments without an order, and orders that were paid by anything else. */
export function countsOf({ orders, mails }: History): { merchant: number; at: number; paise: number }[] {
  const paid = orders.filter(({ paidAt, byOrderless }) => paidAt !== null && !byOrderless);
  return [
    ...paid.map(({ merchant, paidAt, received }) => ({ merchant, at: paidAt!, paise: received! })),
    ...orderlessOf({ mails }).map(({ merchant, takenAt, amount }) => ({
      merchant,
      at: takenAt!,
      paise: amount,
    })),
  ];
}

const reportedAgainWithin = 3 * minute;
const genuineCredits: readonly Verdict[] = ['paid', 'no_order', 'extra_payment', 'too_late'];

/** Two references are two payments. Without one, two mails about one sum within three minutes may be one payment. */
export function mayBeReportedTwice(mails: History['mails'], mail: ModelMail): boolean {
  return [...mails.values()].some(
    other =>
      other !== mail &&
      other.merchant === mail.merchant &&
      other.ownBank === mail.ownBank &&
      other.digits === mail.digits &&
      other.amount === mail.amount &&
      (other.reference === null || mail.reference === null) &&
      Math.abs(other.alertTime - mail.alertTime) <= reportedAgainWithin &&
      genuineCredits.includes(other.verdict),
  );
}

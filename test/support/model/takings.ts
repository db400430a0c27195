import type { ModelMail, ModelOrder } from './order-and-mail.ts';

type History = { orders: readonly ModelOrder[]; mails: ReadonlyMap<string, ModelMail> };

export function takingsOf({ mails }: Pick<History, 'mails'>): ModelMail[] {
  return [...mails.values()].filter(({ takenAt }) => takenAt !== null);
}

/** All that ever counted to a month: payments without an order, and orders that were paid by anything else. */
export function countsOf({ orders, mails }: History): { business: number; at: number; paise: number }[] {
  const paid = orders.filter(({ paidAt, byTaking }) => paidAt !== null && !byTaking);
  return [
    ...paid.map(({ business, paidAt, received }) => ({ business, at: paidAt!, paise: received! })),
    ...takingsOf({ mails }).map(({ business, takenAt, amount }) => ({
      business,
      at: takenAt!,
      paise: amount,
    })),
  ];
}

import { accountDigits, type Model } from './model.ts';
import type { ModelMail } from './order-and-mail.ts';

/** Row 8: its account counts takings and takes orders, and nothing says that a person should look first. */
export function isTaking(model: Model, mail: ModelMail): boolean {
  const { business } = mail;
  const account = accountDigits.indexOf(mail.digits);
  return (
    model.taking.has(`${business}/${account}`) &&
    model.refusalOf(business, account) === null &&
    !model.trust.waits(mail, { account })
  );
}

export function takingsOf(model: Model): ModelMail[] {
  return [...model.mails.values()].filter(({ takenAt }) => takenAt !== null);
}

/** All that ever counted to a month: takings, and orders that were paid by anything else. */
export function countsOf(model: Model): { business: number; at: number; paise: number }[] {
  const paid = model.orders.filter(({ paidAt, byTaking }) => paidAt !== null && !byTaking);
  return [
    ...paid.map(({ business, paidAt, received }) => ({ business, at: paidAt!, paise: received! })),
    ...takingsOf(model).map(({ business, takenAt, amount }) => ({ business, at: takenAt!, paise: amount })),
  ];
}

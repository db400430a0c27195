export const plan = {
  plan: 'Your plan',
  used: (percent: number) => `${percent}% used`,
  monthText:
    'A month is a calendar month in India. At the limit no new payments can be taken; open ones can still be paid. Your website gets the answer plan_limit_reached.',
  accountsOf: (used: number, limit: number) => `${used} of ${limit}`,
  accountsText:
    'Accounts beyond the limit are paused, the newest first; a larger plan starts them again at once.',
  history: 'Orders stay for',
  historyDays: (days: number) => `${days} days`,
  historyText: 'After that you find them in the monthly files of the Orders screen.',
  termLine: (plan: string, from: string, until: string) => `${plan}: from ${from} until ${until}`,
  inGrace: (plan: string, until: string) =>
    `Your plan ${plan} has ended. It stays until ${until}: renew it until then, and nothing stops.`,
  anySum: 'Any sum a month',
  sumAMonth: (sum: string) => `Up to ${sum} a month`,
  anyAccounts: 'Any number of UPI accounts',
  accounts: (count: number) => (count === 1 ? 'One UPI account' : `${count} UPI accounts`),
  anyHistory: 'Orders stay without an end',
  historyFor: (days: number) => `Orders stay for ${days} days`,
  forDays: (days: number) => `for ${days} days`,
  priceFor: (plan: string, price: string, days: number) => `${plan}, ${price} for ${days} days`,
  beginsNow: (until: string) => `Begins at once, until ${until}.`,
  beginsOn: (from: string, until: string) => `Begins on ${from}, after what you have, until ${until}.`,
  renews: 'This is your plan.',
  carries: (days: number) =>
    days === 1
      ? 'One day of it is for the unused days of your present plan.'
      : `${days} days of it are for the unused days of your present plan.`,
  whoBuys: 'An owner or a manager can buy it.',
  changed: 'This plan was changed meanwhile. Look at it again.',
  nobodySells: 'Plans are not sold here at the moment. Ask the operator of this service.',
  cannotBuy: 'The plan could not be ordered just now. Try again in a few minutes.',
  waiting: 'Not finished yet',
  saleStates: {
    paid: 'paid; you have it in a moment',
    review: 'another sum was paid; the seller looks at it, and you have the plan when they accept it',
  },
  goOn: 'Go on to the payment',
  purchases: 'What you bought',
  fromUntil: 'From – until',
  daysOf: (days: number, carried: number) =>
    carried === 0 ? `${days}` : `${days} + ${carried} carried over`,
  receiptTitle: 'Receipt',
  receipt: (number: string) => `Receipt ${number}`,
  receiptFrom: 'Received by',
  receiptTo: 'From',
  price: 'Price',
  receiptText: 'This is a receipt and no tax invoice. Paise above the price tell payments apart.',
  partyTitle: 'On your receipts',
  partyText:
    'Stands on receipts for plans beside the name of your business. Those that were made keep what they say.',
  gstinHint: 'If you have one. 15 characters.',
  gstinWrong: 'This is no GSTIN: look at its 15 characters again.',
  partySaved: 'Saved.',
  months: 'Month by month',
  monthsText: (months: number) =>
    `What came in, month by month, over ${months} ${months === 1 ? 'month' : 'months'}.`,
  emptyTitle: 'Nothing collected yet',
  emptyText: 'The first payment begins this chart.',
};

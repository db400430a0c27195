/** Plans that were sold, for the operator. */
export const operatorSales = {
  text: 'What businesses bought of this installation’s plans. Money that is to be given back is given back by the seller; the term is ended on the page of the business.',
  seller: 'Sold by',
  noSeller: 'Nobody sells plans: “milaan seller --business ID” names a business on a plan without limits.',
  sellerLimited: 'Nothing was changed: this business sells the plans, so its own must have no limits.',
  register: 'Register as CSV',
  emptyTitle: 'Nothing sold yet',
  emptyText: 'A plan with a price and a period is for sale once a seller is named.',
  receipt: 'Receipt',
  states: {
    applied: 'given',
    waiting: 'paid, being given',
    no_plan: 'paid, but its plan is gone: put it back',
    no_buyer: 'paid, but its buyer is gone: give the money back',
  },
  terms: 'Terms that were bought',
  termsText:
    'When money was given back: end the term at the end of a day in India. Those behind it come that much sooner.',
  term: 'Term',
  endOn: 'Last day',
  end: 'End the term',
  ended: 'The term was ended.',
  notEnded: 'Nothing was changed: choose a day within the term.',
} as const;

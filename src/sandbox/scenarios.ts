type Scenario = {
  label: string;
  hint: string;
  /** Whether its order normally becomes paid. */
  pays: boolean;
};

/** The payment scenarios that a shop should have seen once, in the order shown. */
export const scenarios = {
  exact: { label: 'Pay exactly', hint: 'The right amount, in time', pays: true },
  late: {
    label: 'Pay 12 minutes late',
    hint: 'Moves the clock to 12 minutes after the order',
    pays: true,
  },
  wrong_paise: { label: 'Pay wrong paise', hint: 'The price without its paise', pays: false },
  rounded: { label: 'Pay rounded', hint: 'The rupees without the paise', pays: false },
  swapped: { label: 'Swap the paise', hint: 'The two digits in the wrong order', pays: false },
  wrong_digit: { label: 'One digit wrong', hint: 'One of the two digits of the paise', pays: false },
  twice: { label: 'Pay twice', hint: 'Two payments of the right amount', pays: true },
  forged: { label: 'Send a forged mail', hint: 'The amount changed after the bank signed', pays: false },
  wrong_recipient: { label: 'Wrong recipient', hint: "The bank's mail goes to another shop", pays: false },
  delayed: { label: 'Delayed mail', hint: 'Paid now, the mail is found 20 minutes later', pays: true },
  hours_late: {
    label: 'Pay 2 hours late',
    hint: 'The payment hangs: the clock moves two hours',
    pays: false,
  },
  told_twice: { label: 'Reported twice', hint: 'One payment, two mails of the bank', pays: true },
  false_credit: { label: 'False credit', hint: 'Mailed, and never on the bank’s statement', pays: true },
  new_wording: {
    label: 'New wording',
    hint: 'The bank’s mail is on trial: you look for the money',
    pays: false,
  },
  wall: {
    label: 'Pay the QR on the wall',
    hint: 'A sum without order; count them under Shop, Bank and UPI',
    pays: false,
  },
  two_claimants: { label: 'Two claim one payment', hint: 'Needs a second open order', pays: false },
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;
export const scenarioNames = Object.keys(scenarios) as ScenarioName[];

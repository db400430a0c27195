/** What the customer reads, on the hosted page and in the widget. A further language is one more file of this type. */
export type PageTexts = {
  /** The name of the language in itself, and its tag. */
  language: string;
  tag: string;
  title: (amount: string, shop: string) => string;
  paying: string;
  payExactly: (amount: string) => string;
  whyPaise: string;
  /** For a screen reader, which would else read the figure as it likes. */
  amountSpoken: (rupees: string, paise: string) => string;
  timeLeft: string;
  minutesLeft: (minutes: number) => string;
  scan: string;
  scanOther: string;
  qrLabel: (amount: string) => string;
  noQr: string;
  openApp: string;
  otherApp: string;
  appMissing: string;
  personalWhy: string;
  personalSteps: (amount: string) => readonly [string, string, string];
  upiId: string;
  amount: string;
  nameShown: string;
  order: string;
  copy: string;
  copyUpiId: string;
  copyAmount: string;
  copied: string;
  copyByHand: string;
  waiting: string;
  waitingNoScript: string;
  offline: string;
  blind: string;
  paidHeading: string;
  paidText: (amount: string, shop: string) => string;
  returning: string;
  backToShop: string;
  expiredHeading: string;
  expiredText: string;
  stay: string;
  lateHeading: string;
  lateText: string;
  overHeading: string;
  overText: string;
  failedHeading: string;
  failedText: string;
  reviewHeading: string;
  reviewText: string;
  /** No mailbox is connected. */
  unpayableHeading: string;
  unpayableText: string;
  safety: string;
  notFoundHeading: string;
  notFoundText: string;
  unavailableHeading: string;
  unavailableText: string;
  tryAgain: string;
};

export type WidgetTexts = {
  title: string;
  amountLabel: string;
  amountWrong: string;
  pay: string;
  creating: string;
  payExactly: (amount: string) => string;
  whyPaise: string;
  timeLeft: string;
  minutesLeft: (minutes: number) => string;
  scan: string;
  qrLabel: (amount: string) => string;
  openApp: string;
  /** Leads to the hosted page, which knows what a personal account can do on the same phone. */
  onThisPhone: string;
  waiting: string;
  offline: string;
  paid: (amount: string) => string;
  expired: string;
  over: string;
  failed: string;
  review: string;
  startAgain: string;
  tryAgain: string;
  /** §4.4, to the letter in English. */
  shopCannot: string;
  /** No mailbox is connected. */
  unpayable: string;
  noAnswer: string;
  badAnswer: string;
  refused: string;
  busy: string;
  stopped: string;
  misconfigured: string;
};

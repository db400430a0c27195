/** What the customer reads in the widget. Bundled with it, so nothing else stands in this file. */
export const widget = {
  title: 'Pay with UPI',
  amountLabel: 'Amount in rupees',
  amountWrong: 'Enter an amount from 0.01 to 10,00,000 rupees.',
  pay: 'Show the QR code',
  creating: 'Preparing your payment …',
  payExactly: (amount: string) => `Pay exactly ${amount}, paise included`,
  whyPaise: 'The paise tell the shop which payment is yours.',
  timeLeft: 'Time left',
  minutesLeft: (minutes: number) =>
    minutes === 1 ? 'One minute left to pay.' : `${minutes} minutes left to pay.`,
  scan: 'Scan with any UPI app',
  qrLabel: (amount: string) => `QR code to pay ${amount} by UPI`,
  openApp: 'Pay with a UPI app',
  /** Leads to the hosted page, which knows what a personal account can do on the same phone. */
  onThisPhone: 'Paying on this phone? See how',
  waiting: 'Waiting for your payment …',
  offline: 'No connection right now. We keep trying; if you have paid, your payment is safe.',
  paid: (amount: string) => `Payment of ${amount} received. Thank you.`,
  expired:
    'The QR code has expired; please do not pay it any more. If you have paid, wait here: we are still looking.',
  over: 'No payment was found. If money left your account, contact the shop.',
  failed: 'The payment did not go through.',
  failedReceived: (received: string) =>
    `The shop has received ${received} and did not take it for this order. Contact the shop to get it back.`,
  review: 'The shop is checking this payment. Please do not pay again.',
  reviewReceived: (received: string) =>
    `The shop has received ${received} and is looking at it. Please do not pay again.`,
  /** Leads to the hosted page, which goes on asking when §4.4 lets the widget stop. */
  seeReview: 'See what the shop decides',
  /** Leads to the form on the hosted page. */
  havePaid: 'I have paid',
  startAgain: 'Start again',
  tryAgain: 'Try again',
  /** §4.4, to the letter. */
  shopCannot: "This shop can't take new UPI payments here right now. Please contact the shop.",
  /** No mailbox is connected. */
  unpayable: "This shop can't confirm UPI payments right now. Please contact the shop.",
  noAnswer: 'The shop could not be reached. Check your connection and try again.',
  badAnswer: 'The shop sent an answer that cannot be used. Please try again, or contact the shop.',
  refused: 'The payment could not be started. Please try again, or contact the shop.',
  busy: 'Too many payments are being made right now. Please try again in a moment.',
  stopped: 'This payment can no longer be followed here. If you have paid, contact the shop.',
  misconfigured: 'The UPI payment box is not set up correctly. Please contact the shop.',
};

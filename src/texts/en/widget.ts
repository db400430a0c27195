import { paying } from './paying.ts';

/**
 * What the customer reads in the widget. English is bundled with it and the others are fetched by it, so these are plain
 * texts, `{0}` standing for what is put in. Where the hosted page has the same state, the words are `paying`.
 */
export const widget = {
  ...paying,
  title: 'Pay with UPI',
  amountLabel: 'Amount in rupees',
  amountWrong: 'Enter an amount from 0.01 to 10,00,000 rupees.',
  pay: 'Show the QR code',
  payFixed: 'Pay {0} by UPI',
  creating: 'Preparing your payment …',
  payExactly: 'Pay exactly {0}, paise included',
  whyPaise: 'The paise tell the shop which payment is yours.',
  oneMinuteLeft: 'One minute left to pay.',
  twoMinutesLeft: 'Two minutes left to pay.',
  qrLabel: 'QR code to pay {0} by UPI',
  openApp: 'Pay with a UPI app',
  /** The last step of a personal account, whose links UPI apps decline on the same phone. */
  payInApp:
    'Pay to UPI ID in your app, from a bank account, not a credit card: paste both, check the name, pay. Then come back here.',
  openPage: 'Open the payment page',
  waiting: 'Waiting for your payment …',
  looking:
    'Looking for your payment. Most are found within a minute; a bank can take a few. You need not pay again.',
  lookingSlowly: 'Looking for your payment. It takes longer than usual right now. You need not pay again.',
  paid: 'The shop has received {0}. Thank you.',
  paidNext: 'There is nothing more to pay. The shop takes it from here.',
  expiredHeading: 'This payment has expired',
  expired: 'Please do not pay it any more. If you have paid, wait here: we are still looking.',
  failed: 'If money left your account, contact the shop.',
  failedReceived:
    'The shop has received {0} and did not take it for this order. Contact the shop to get it back.',
  reviewReceived:
    'The shop has received {0} for this order of {1} and is looking at it. Please do not pay again.',
  /** Leads to the hosted page, which goes on asking when §4.4 lets the widget stop. */
  seeReview: 'See what the shop decides',
  startAgain: 'Start again',
  newOrder: 'To pay again, go back to the shop and begin a new order.',
  /** §4.4, to the letter. */
  shopCannot: "This shop can't take new UPI payments here right now. Please contact the shop.",
  noAnswer: 'The shop could not be reached. Check your connection and try again.',
  refused: 'The payment could not be started. Please try again, or contact the shop.',
  busy: 'Too many payments are being made right now. Please try again in a moment.',
  stopped: 'This payment can no longer be followed here. If you have paid, contact the shop.',
  misconfigured: 'The UPI payment box is not set up correctly. Please contact the shop.',
};

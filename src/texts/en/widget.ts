/**
 * What the customer reads in the widget. English is bundled with it and the others are fetched by it, so these are plain
 * texts, `{0}` standing for what is put in. Where the hosted page has the same state, the words are the page's.
 */
export const widget = {
  title: 'Pay with UPI',
  amountLabel: 'Amount in rupees',
  amountWrong: 'Enter an amount from 0.01 to 10,00,000 rupees.',
  pay: 'Show the QR code',
  payFixed: 'Pay {0} by UPI',
  creating: 'Preparing your payment …',
  payExactly: 'Pay exactly {0}, paise included',
  whyPaise: 'The paise tell the shop which payment is yours.',
  timeLeft: 'Time left',
  oneMinuteLeft: 'One minute left to pay.',
  twoMinutesLeft: 'Two minutes left to pay.',
  scan: 'Scan with any UPI app',
  scanOther: 'Or scan from another phone',
  qrLabel: 'QR code to pay {0} by UPI',
  openApp: 'Pay with a UPI app',
  /** The last step of a personal account, whose links UPI apps decline on the same phone. */
  payInApp:
    'Pay to UPI ID in your app, from a bank account, not a credit card: paste both, check the name, pay. Then come back here.',
  openPage: 'Open the payment page',
  upiId: 'UPI ID',
  amount: 'Amount',
  nameShown: 'Name your app will show',
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'Press and hold the text to copy it.',
  waiting: 'Waiting for your payment …',
  looking:
    'Looking for your payment. Most are found within a minute; a bank can take a few. You need not pay again.',
  lookingSlowly: 'Looking for your payment. It takes longer than usual right now. You need not pay again.',
  offline: 'No connection right now. We keep trying; if you have paid, your payment is safe.',
  blind: 'Confirmation may be slow right now; your payment is safe.',
  order: 'Order',
  paidHeading: 'Payment received',
  paid: 'The shop has received {0}. Thank you.',
  paidNext: 'There is nothing more to pay. The shop takes it from here.',
  expiredHeading: 'This payment has expired',
  expired: 'Please do not pay it any more. If you have paid, wait here: we are still looking.',
  overHeading: 'No payment was found',
  over: 'If money left your account, contact the shop and give the order number below.',
  failedHeading: 'The payment did not go through',
  failed: 'You can start again. If money left your account, contact the shop.',
  failedReceived:
    'The shop has received {0} and did not take it for this order. Contact the shop to get it back.',
  reviewHeading: 'The shop is checking this payment',
  review: 'Please do not pay again. The shop decides about it and will tell you.',
  reviewReceived:
    'The shop has received {0} for this order of {1} and is looking at it. Please do not pay again.',
  /** Leads to the hosted page, which goes on asking when §4.4 lets the widget stop. */
  seeReview: 'See what the shop decides',
  /** Leads to the form on the hosted page. */
  havePaid: 'I have paid',
  startAgain: 'Start again',
  tryAgain: 'Try again',
  /** §4.4, to the letter. */
  shopCannot: "This shop can't take new UPI payments here right now. Please contact the shop.",
  /** No mailbox is connected. */
  unpayableHeading: "This shop can't confirm UPI payments right now",
  unpayable:
    'Please do not pay here; contact the shop. If money has left your account, give them the order number below.',
  noAnswer: 'The shop could not be reached. Check your connection and try again.',
  refused: 'The payment could not be started. Please try again, or contact the shop.',
  busy: 'Too many payments are being made right now. Please try again in a moment.',
  stopped: 'This payment can no longer be followed here. If you have paid, contact the shop.',
  misconfigured: 'The UPI payment box is not set up correctly. Please contact the shop.',
};

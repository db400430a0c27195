/** What the hosted page and the widget say alike; the widget brings its English along. */
export const paying = {
  timeLeft: 'Time left',
  scan: 'Scan with any UPI app',
  scanOther: 'Or scan from another phone',
  upiId: 'UPI ID',
  amount: 'Amount',
  /** The price, and what was added to it. */
  added: '{0} + {1}, so that the shop can tell your payment from others.',
  nameShown: 'Name your app will show',
  order: 'Order',
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'Press and hold the text to copy it.',
  offline: 'No connection right now. We keep trying; if you have paid, your payment is safe.',
  blind: 'Confirmation may be slow right now; your payment is safe.',
  paidHeading: 'Payment received',
  overHeading: 'No payment of this exact amount was found',
  failedHeading: 'The payment did not go through',
  reviewHeading: 'The shop is checking this payment',
  /** No mailbox is connected. */
  unpayableHeading: "This shop can't confirm UPI payments right now",
  tryAgain: 'Try again',
  over: 'If money left your account, contact the shop and give the order number below.',
  review: 'Please do not pay again. The shop decides about it and will tell you.',
  unpayable:
    'Please do not pay here; contact the shop. If money has left your account, give them the order number below.',
  /** Leads to the form on the hosted page. */
  havePaid: 'I have paid',
};

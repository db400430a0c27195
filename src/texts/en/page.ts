/** What the customer reads on the hosted page. */
export const page = {
  languageMenu: 'Language',
  title: (amount: string, shop: string) => `Pay ${amount} to ${shop}`,
  paying: 'You are paying',
  payExactly: (amount: string) => `Pay exactly ${amount}, paise included`,
  whyPaise: 'The paise tell the shop which payment is yours. Do not round the amount.',
  /** For a screen reader, which would else read the figure as it likes. */
  amountSpoken: (rupees: string, paise: string) => `${rupees} rupees and ${paise} paise`,
  timeLeft: 'Time left',
  minutesLeft: (minutes: number) =>
    minutes === 1 ? 'One minute left to pay.' : `${minutes} minutes left to pay.`,
  scan: 'Scan with any UPI app',
  scanOther: 'Or scan from another phone',
  qrLabel: (amount: string) => `QR code to pay ${amount} by UPI`,
  noQr: 'The QR code cannot be shown. Use the UPI ID below.',
  openApp: 'Open your UPI app',
  otherApp: 'Other app',
  appMissing: 'That app is not on this phone. Choose another one, or use the UPI ID below.',
  personalWhy:
    'This shop receives money on a personal UPI ID. UPI apps decline payment links to such an ID when they are opened on the same phone, so pay in three steps:',
  personalSteps: (amount: string) =>
    [
      'Copy the UPI ID.',
      'Open your UPI app, choose to pay a UPI ID, and paste it.',
      `Enter exactly ${amount}, check the name, and pay. Then come back here.`,
    ] as const,
  upiId: 'UPI ID',
  amount: 'Amount',
  nameShown: 'Name your app will show',
  order: 'Order',
  copy: 'Copy',
  copyUpiId: 'Copy the UPI ID',
  copyAmount: 'Copy the amount',
  copied: 'Copied',
  copyByHand: 'Press and hold the text to copy it.',
  waiting: 'Waiting for your payment. This page updates by itself.',
  waitingNoScript: 'This page looks again every few seconds.',
  offline: 'No connection right now. We keep trying; if you have paid, your payment is safe.',
  blind: 'Confirmation may be slow right now; your payment is safe.',
  paidHeading: 'Payment received',
  paidText: (amount: string, shop: string) => `${shop} has received ${amount}. Thank you.`,
  returning: 'Taking you back to the shop in a few seconds.',
  backToShop: 'Back to the shop',
  expiredHeading: 'This payment link has expired',
  expiredText: 'Please do not pay it any more. We take you back to the shop in a few seconds.',
  stay: 'I have paid, keep waiting',
  lateHeading: 'Still looking for your payment',
  lateText:
    'The link has expired, so please do not pay now. If you paid in time, the confirmation can still arrive within ten minutes of the expiry. This page changes by itself.',
  overHeading: 'No payment was found',
  overText: 'If money left your account, contact the shop and give the order number below.',
  failedHeading: 'The payment did not go through',
  failedText: 'Go back to the shop to try again. If money left your account, contact the shop.',
  failedReceived: (received: string) =>
    `The shop has received ${received} and did not take it for this order. Contact the shop to get it back.`,
  reviewHeading: 'The shop is checking this payment',
  reviewText: 'Please do not pay again. The shop decides about it and will tell you.',
  reviewReceived: (received: string, payable: string) =>
    `The shop has received ${received} for this order of ${payable} and is looking at it. Please do not pay again; this page changes by itself.`,
  /** The form for whoever has paid while the page still waits. */
  claimOffer: 'I have paid',
  claimAgain: 'Enter the number again',
  claimHeading: 'Have you paid?',
  claimLabel: 'UPI reference number (UTR)',
  claimHint: 'Your UPI app shows its 12 digits with the payment. You can also paste all that the app says.',
  claimSend: 'Send the number',
  claimUnclear: 'No 12-digit number was found. Please enter only the 12 digits of the UPI reference.',
  /** The same for everybody, whatever came of it, so it promises nothing. */
  claimSent:
    'Thank you. If a payment with this number is found, this page shows it. If nothing changes in a few minutes, contact the shop.',
  contact: (shop: string) => `Contact ${shop}`,
  contactPhone: 'Phone',
  contactWhatsapp: 'WhatsApp',
  contactEmail: 'Mail',
  /** No mailbox is connected. */
  unpayableHeading: "This shop can't confirm UPI payments right now",
  unpayableText:
    'Please do not pay here; contact the shop. If money has left your account, give them the order number below.',
  safety: 'The money goes straight to the shop’s bank account. Never tell anyone your UPI PIN.',
  notFoundHeading: 'This payment link does not exist',
  notFoundText: 'Check that the address is complete, or go back to the shop and start the payment again.',
  unavailableHeading: 'We cannot show this payment right now',
  unavailableText:
    'Nothing is lost. Please try again in a few seconds; if you have paid, your payment is safe.',
  tryAgain: 'Try again',
};

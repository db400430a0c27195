import { paying } from './paying.ts';

/** What the customer reads on the hosted page. */
export const page = {
  ...paying,
  languageMenu: 'Language',
  title: (amount: string, shop: string) => `Pay ${amount} to ${shop}`,
  paying: 'You are paying',
  payExactly: (amount: string) => `Pay exactly ${amount}, paise included`,
  whyPaise: 'Do not round the amount.',
  /** For a screen reader, which would else read the figure as it likes. */
  amountSpoken: (rupees: string, paise: string) => `${rupees} rupees and ${paise} paise`,
  minutesLeft: (minutes: number) =>
    minutes === 1 ? 'One minute left to pay.' : `${minutes} minutes left to pay.`,
  qrLabel: (amount: string) => `QR code to pay ${amount} by UPI`,
  noQr: 'The QR code cannot be shown. Use the UPI ID below.',
  openApp: 'Open your UPI app',
  anyApp: 'Choose your UPI app',
  appMissing: 'That app is not on this phone. Choose another one, or use the UPI ID below.',
  /** A personal UPI ID is paid by hand; the steps are buttons. */
  fromBank: 'Pay from a bank account, not a credit card: UPI apps decline cards here.',
  stepCopyId: 'Copy UPI ID',
  stepCopyAmount: (amount: string) => `Copy ${amount}`,
  stepExactly: 'Exactly this, paise included',
  stepOpen: (name: string) => `Pay to UPI ID: paste both, check the name ${name}, pay. Then come back here.`,
  whyNoLink: 'Why is there no button that pays?',
  personalWhy:
    'This shop receives money on a personal UPI ID. By NPCI’s rules UPI apps decline payment links to such an ID when they are opened on the same phone. Paying to the UPI ID yourself is allowed.',
  otherPhone: 'Pay from another phone',
  saveQr: 'Save QR',
  gallery:
    'Some apps can open a saved QR from the gallery. NPCI allows that up to ₹2,000 to a shop like this one; some apps refuse it.',
  galleryTooMuch:
    'Scan it with the camera of another phone. A QR opened from the gallery is limited to ₹2,000 by NPCI.',
  copyUpiId: 'Copy the UPI ID',
  copyAmount: 'Copy the amount',
  waiting: 'Waiting for your payment. This page updates by itself.',
  /** They are back from their UPI app. */
  lookingHeading: 'Looking for your payment.',
  lookingText: 'Most are found within a minute; a bank can take a few. You need not pay again.',
  lookingBlind: 'It takes longer than usual right now. You need not pay again.',
  waitingNoScript: 'This page looks again every few seconds.',
  paidText: (amount: string, shop: string) => `${shop} has received ${amount}. Thank you.`,
  returning: 'We take you back to the shop in a few seconds.',
  touchToStay: 'Touch the page to stay.',
  receiptTitle: 'UPI payment received',
  paidTo: 'Paid to',
  paidFor: 'For',
  paidAt: 'Confirmed',
  bankReference: 'UPI reference (UTR)',
  receiptPrint: 'Save or print',
  receiptShare: 'Share',
  receiptKeep: 'Stay here to keep the receipt',
  /** What a chat shows of a link that is no longer open. */
  sharedTitle: (shop: string) => `UPI payment to ${shop}`,
  backToShop: 'Back to the shop',
  expiredHeading: 'This payment link has expired',
  expiredText: 'Please do not pay it any more.',
  payAgain: 'Pay again',
  expiredHere: 'Please do not pay it any more. Ask for a new one.',
  stay: 'I have paid, keep waiting',
  lateHeading: 'Still looking for your payment',
  lateText:
    'The link has expired, so please do not pay now. If you paid in time, the confirmation can still arrive within ten minutes of the expiry. This page changes by itself.',
  failedText: 'Go back to the shop to try again. If money left your account, contact the shop.',
  failedReceived: (received: string) =>
    `The shop has received ${received} and did not take it for this order. Contact the shop to get it back.`,
  reviewReceived: (received: string, payable: string) =>
    `The shop has received ${received} for this order of ${payable} and is looking at it. Please do not pay again; this page changes by itself.`,
  /** The form for whoever has paid while the page still waits. */
  claimAgain: 'Enter the number again',
  claimHeading: 'Have you paid?',
  claimLabel: 'UPI reference number (UTR)',
  claimAlso: 'Also if you paid another amount.',
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
  /** A link that stays, where each press of the button makes a payment. */
  link: {
    pay: 'Pay by UPI',
    amount: 'Amount in rupees',
    limits: (least: string, most: string) => `From ${least} to ${most}.`,
    paise: (most: string) =>
      `A few paise are added, ${most} at most, so that the shop can tell your payment from others.`,
    wrongAmount: 'Please give an amount within the limits below.',
    busy: 'Too many people are paying by this link right now. Please try again in a few minutes.',
    crowded:
      'Several payments by this link are open from your network. Go on with the one you began, or try again in a few minutes.',
    ended: 'This link can no longer be paid. Please ask the shop.',
    soldOut: 'Sold out. If somebody’s payment runs out of time, it may come back within minutes.',
    otherSite: 'Please press the button on this page.',
  },
  safety: 'The money goes straight to the shop’s bank account. Never tell anyone your UPI PIN.',
  notFoundHeading: 'This payment link does not exist',
  notFoundText: 'Check that the address is complete, or go back to the shop and start the payment again.',
  unavailableHeading: 'We cannot show this payment right now',
  unavailableText:
    'Nothing is lost. Please try again in a few seconds; if you have paid, your payment is safe.',
};

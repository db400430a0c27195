/** A mail that an owner uploads to see what would become of it. */
export const tryMail = {
  title: 'Try your own mail',
  text: 'Have you a mail of your bank about money received? Upload it and see at once whether it is read. No mailbox is needed, nothing of the mail is kept, and no order is paid by it.',
  file: 'The mail as a file',
  fileHint: 'A file that ends in .eml, at most 1 MiB.',
  submit: 'Try this mail',
  how: 'How to save a mail as a file',
  ways: [
    'Gmail in a browser: open the mail, ⋮, “Download message”.',
    'Outlook on the web: open the mail, ⋯, “Save as” or “Download”. A file that ends in .msg cannot be checked.',
    'On a phone the mail apps save no files: open the mailbox in the phone’s browser as a desktop site, or use a computer.',
    'Do not forward the mail first: a forwarded mail has lost the bank’s signature.',
  ],
  noFile: 'Choose the file of a mail first.',
  tooLarge: 'The file is larger than 1 MiB. No alert of a bank is.',
  tooMany: 'That was many mails in one hour. Try again later.',
  busy: 'Other mails are being tried just now. Try again in a minute.',
  result: 'What we make of this mail',
  states: { done: 'Yes', waiting: 'Open', failed: 'No' },
  notReached: 'Not looked at',
  isOwn: '{address}, which is one of your alert addresses.',
  isOther:
    'The bank wrote to {addresses}; your mailbox is {mailbox}. Connect the other one, or list its address as an extra alert address.',
  noMailbox: 'The bank wrote to {addresses}. Connect that mailbox.',
  toNobody: 'The bank’s signature names nobody whom it wrote to, so it never counts.',
  account: '{account}, as you recorded it.',
  noAccount: '{account}. You have recorded no UPI account with this bank and these digits yet.',
  digits: 'Last digits of the account',
  payer: 'Payer',
  notPrinted: 'not printed',
  pays: 'A mail like this confirms a payment of exactly this amount.',
  paysOnce: 'A mail like this confirms a payment, once what is open above is done.',
  paysNot: 'A mail like this confirms nothing.',
  later:
    'The bank’s key could not be fetched. Try again later. If the mail is old, its key may be gone: take a newer one.',
  waits: {
    trial:
      'This wording is new here: the first three payments by it wait until you say with one tap that they are in your account; the ₹1 of the proof counts for all three. Please tell the operator that it was read.',
    review_only:
      'Mails of this bank are reported to tell of money that never came: each payment waits until you say with one tap that it is in your account.',
  },
  addBank: 'If the mail is from your bank, the operator of this service can add it:',
} as const;

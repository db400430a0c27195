export const firstSteps = {
  title: 'Your first payment in about 10 minutes',
  text: 'One rupee proves that all of it works.',
  progress: '{count} of {all} steps done',
  look: 'Just looking?',
  lookText: 'Try the counter with play money.',
  lookAt: 'Try the counter',
  steps: {
    bank: 'Your bank',
    mails: 'Does it mail you?',
    account: 'Your UPI ID',
    ways: 'How its mails reach us',
    proof: 'One rupee, paid by another person',
    payment: 'Your first payment',
  },
  now: 'Next',
  done: 'Done',
  open: 'To do',
  accountTodo:
    'Add the UPI ID that receives the money, the name that UPI apps show, its bank, and the last digits of the bank account.',
  accountDone: 'Customers pay to {vpa}.',
  accountAt: 'The money arrives at {bank}: no other alert counts.',
  accountAtDigits: 'The money arrives at {bank}, account …{digits}: no other alert counts.',
  noBank: 'Its bank is not written beside it yet, so we cannot confirm payments to it.',
  noDigits:
    'The last digits of its bank account are not recorded, but your bank prints them: no alert confirms a payment to it.',
  nameBank: 'Name the bank and the digits',
  whichAddress: 'To which address does your bank write?',
  whichAddressHint: 'Not every mail service leaves the bank’s mails unchanged.',
  whichWay: 'Show which way works',
  mailboxTodo:
    'Connect the mailbox to which your bank sends its alerts. The connection is tested before it is kept.',
  mailboxDone: '{address} is being read.',
  connect: 'Connect the mailbox',
  bankText: 'At which bank does the shop’s money arrive? {service} confirms payments by its mails.',
  bankRead: 'Good: mails of {bank} about UPI payments can be read.',
  mailsText:
    'Your bank must send a mail for every payment you receive, however small. Look into your mailbox for the last one; if there is none, switch them on:',
  itMails: 'Yes, my bank mails me',
  bankSteps: [
    'Sign in to your bank’s net banking or app and look for “Alerts”, “Notifications” or “Alert settings”.',
    'Switch alerts for money received (credits) on, by e-mail; SMS is of no use here.',
    'Set the smallest amount to ₹1 or ₹0, so that every credit sends a mail.',
  ],
  bankMailsTo: 'Make sure that the mails go to {address}.',
  bankMailsAnywhere: 'Make sure that the mails go to a mailbox that you can open: step 4 connects it.',
  callsIt: 'Your bank calls this “{name}”.',
  senders: 'The mails come from',
  bankSeen: 'A mail of {bank} has arrived.',
  notListed: 'Your bank is not in the list? The operator of this service can add it without a new version.',
  fewDigits:
    '{bank}’s alerts print too few digits of the account ({count}), so your protection is weaker: somebody who opens an account there and gives your alert address as theirs can make their own money look like yours. Let the bank write to an address that nobody knows, and tell it to nobody else.',
  secretForwarding:
    'Nobody can guess your forwarding address {address}: enter it at your bank as your e-mail address. It counts already. If a mailbox is connected whose address people know, disconnect it, because alerts to it count too.',
  secretNone:
    'Open a forwarding address, which nobody can guess, and connect no mailbox whose address people know. Or connect a new mailbox that you use for nothing else.',
  proofText:
    'Let another person pay one rupee to your UPI ID. Then watch the alert pass every check, one after the other.',
  whyOther:
    'It must be another person, because banks do not always send a mail for a transfer between your own accounts.',
  start: 'Start the proof',
  again: 'Start again with a new amount',
  needFirst: 'First add your UPI ID and the way its mails reach us.',
  payExactly: 'Pay exactly {amount}',
  scan: 'Scan this with any UPI app on another person’s phone.',
  qr: 'QR code to pay {amount}',
  openPage: 'Or open the payment page',
  over: 'The time is over. If you have paid, the alert still counts for ten more minutes.',
  checks: 'The checks',
  gates: {
    bank: 'It is from a bank that we know',
    arrived: 'A bank mail arrived',
    signed: 'The bank’s signature is genuine',
    addressed: 'The bank addressed it to you',
    read: 'It reports money that came in',
    own_account: 'It is about your account',
    matched: 'The amount is that of the order: paid',
  },
  waitingForMail: 'Waiting for the mail. Most banks send it within a minute.',
  waiting: 'Waiting',
  wrongRecord:
    'Is {told} your account? Then correct the bank account, and start again. If it is not, change nothing: that is somebody else’s money.',
  proven: 'Proven: payments are confirmed',
  provenText: 'A real payment went the whole way. Now take your first one from a customer.',
  paymentText:
    'Take it with your phone (a new payment, the counter or a link that stays), or from your website: create a key and copy the code.',
  thanks: 'Thank you',
  thanksText: 'You can close this page. The shop sees the result on its own screen.',
} as const;

/** A mail that an owner uploads to see what would become of it. */
export const tryMail = {
  title: 'Try your own mail',
  text: 'Have you a mail of your bank about money received? Upload it and see at once whether it is read. No mailbox is needed, nothing of the mail is kept, and no order is paid by it.',
  file: 'The mail as a file',
  fileHint: 'A file that ends in .eml, at most 1 MB.',
  submit: 'Try this mail',
  how: 'How to save a mail as a file',
  ways: [
    'Gmail in a browser: open the mail, ⋮, “Download message”.',
    'Outlook on the web: open the mail, ⋯, “Save as” or “Download”. A file that ends in .msg cannot be checked.',
    'On a phone the mail apps save no files: open the mailbox in the phone’s browser as a desktop site, or use a computer.',
    'Do not forward the mail first: a forwarded mail has lost the bank’s signature.',
  ],
  noFile: 'Choose the file of a mail first.',
  tooLarge: 'The file is larger than 1 MB. No alert of a bank is.',
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
      'A mail like this can tell of money that never came: each payment waits until you say with one tap that it is in your account.',
  },
  addBank: 'If the mail is from your bank, the operator of this service can add it:',
} as const;

/** Which banks can be read, and what an owner does whose bank cannot. */
export const banks = {
  groups: {
    confirmed: 'Confirmed',
    unconfirmed: 'Not confirmed yet: try one rupee',
    unknown: 'Not known yet',
    cannot: 'Cannot be read',
    closed: 'Closed',
  },
  unconfirmed:
    'Not confirmed yet: no mail of {bank} about a UPI payment was checked by the makers of Milaan. Try one rupee: the proof below shows whether it is read. Until then the first three payments wait for you: one tap says that the money is in your account. The rupee of the proof counts for all three.',
  noConfirming: 'Payments to an account at {bank} cannot be confirmed.',
  cannot: {
    no_upi_mail:
      'No alert mail for UPI payments is known: its mails tell of interest and of money that left, and its help pages speak of SMS.',
    sms_only: 'As far as its own pages tell, it offers SMS for money received, and no mail.',
    no_sender: 'The address that its alerts come from is not known, so no mail can be taken for its own.',
    card: 'It is a credit card, not an account that customers pay to.',
    wallet: 'It is a prepaid wallet, not a bank account.',
  },
  closed: 'It no longer exists as a bank: no money arrives there. Let it arrive at another one.',
  unknown: 'Nobody has shown us a mail of it about a UPI payment, so none can be read yet.',
  whenCannot: [
    'Let the shop’s money arrive at a bank of the group “Confirmed”. A second account there is enough.',
    'Or ask your bank for an e-mail, not an SMS, for every credit.',
    'If a mail does come when another person pays you one rupee, try it below: then we are wrong, and the operator of this service can add it.',
  ],
  whenUnknown: [
    'Switch credit alerts by e-mail on, and let another person pay one rupee to your UPI ID.',
    'If a mail comes, try it below. The operator of this service can then add your bank within minutes, without a new version.',
    'If none comes, let the shop’s money arrive at a bank of the group “Confirmed”.',
  ],
  allBanks: 'Which banks are supported',
  howAdded: 'How your bank is added',
} as const;

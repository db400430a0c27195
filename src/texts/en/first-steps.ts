export const firstSteps = {
  text: 'Six short steps from your bank to your first payment. One rupee proves that all of it works.',
  steps: {
    bank: 'Your bank',
    mails: 'Does it mail you?',
    account: 'Your UPI ID',
    ways: 'How its mails reach us',
    proof: 'One rupee, paid by another person',
    payment: 'Your first payment',
  },
  goOn: (step: string) => `Go on: ${step}`,
  now: 'Next',
  skip: 'Not now: every other screen is open already, and Home leads back here.',
  done: 'Done',
  open: 'To do',
  accountTodo:
    'Add the UPI ID that receives the money, the name that UPI apps show, its bank, and the last digits of the bank account.',
  accountDone: (vpa: string) => `Customers pay to ${vpa}.`,
  accountAt: (bank: string, digits: string | null) =>
    `The money arrives at ${bank}${digits === null ? '' : `, account …${digits}`}: no other alert counts.`,
  noBank: 'Its bank is not written beside it yet, so we cannot confirm payments to it.',
  noDigits:
    'The last digits of its bank account are not recorded, but your bank prints them: no alert confirms a payment to it.',
  nameBank: 'Name the bank and the digits',
  mailboxTodo:
    'Connect the mailbox to which your bank sends its alerts. The connection is tested before it is kept.',
  mailboxDone: (address: string) => `${address} is being read.`,
  connect: 'Connect the mailbox',
  bankText: 'At which bank does the shop’s money arrive? Milaan confirms payments by its mails.',
  bankRead: (bank: string) => `Good: mails of ${bank} about UPI payments can be read.`,
  mailsText:
    'Your bank must send a mail for every payment you receive, however small. Look into your mailbox for the last one; if there is none, switch them on:',
  itMails: 'Yes, my bank mails me',
  bankSteps: (address: string | null) => [
    'Sign in to your bank’s net banking or app and look for “Alerts”, “Notifications” or “Alert settings”.',
    'Switch alerts for money received (credits) on, by e-mail; SMS is of no use here.',
    'Set the smallest amount to ₹1 or ₹0, so that every credit sends a mail.',
    address === null
      ? 'Make sure that the mails go to a mailbox that you can open: step 4 connects it.'
      : `Make sure that the mails go to ${address}.`,
  ],
  callsIt: (name: string) => `Your bank calls this “${name}”.`,
  senders: 'The mails come from',
  subjects: 'with a subject such as',
  bankSeen: (bank: string) => `A mail of ${bank} has arrived.`,
  notListed: 'Your bank is not in the list? The operator of this service can add it without a new version.',
  fewDigits: (bank: string, count: number) =>
    `${bank}’s alerts print ${count === 0 ? 'no digits' : `only ${count} digits`} of the account, so your protection is weaker: somebody who opens an account there and gives your alert address as theirs can make their own money look like yours. Let the bank write to an address that nobody knows, and tell it to nobody else.`,
  secretOffer: 'We suggest:',
  secretSubmit: 'Use this address',
  secretWaiting: (address: string) =>
    `A mail with a code is on its way to ${address}. Once it arrives, the address counts.`,
  secretReady: (address: string) =>
    `Enter ${address} at your bank as your e-mail address. It is proven and counts.`,
  secretForwarding: (address: string) =>
    `Nobody can guess your forwarding address ${address}: enter it at your bank as your e-mail address. It counts already.`,
  secretNeedsMailbox:
    'Open a forwarding address, which is one, or connect the mailbox first; then we suggest such an address.',
  proofText:
    'Let another person pay one rupee to your UPI ID. Then watch the alert pass every check, one after the other.',
  whyOther:
    'It must be another person, because banks do not always send a mail for a transfer between your own accounts.',
  webhook: 'Webhook address of your shop',
  webhookHint: 'Leave it empty if you have no server yet: we take the webhook ourselves.',
  start: 'Start the proof',
  again: 'Start again with a new amount',
  needFirst: 'First add your UPI ID and the way its mails reach us.',
  payExactly: (amount: string) => `Pay exactly ${amount}`,
  scan: 'Scan this with any UPI app on another person’s phone.',
  qr: (amount: string) => `QR code to pay ${amount}`,
  openPage: 'Or open the payment page',
  until: 'Payable until',
  over: 'The time is over. If you have paid, the alert still counts for ten more minutes.',
  checks: 'The checks',
  gates: {
    bank: 'It is from a bank that we know',
    arrived: 'A bank mail arrived',
    signed: 'The bank’s signature is genuine',
    addressed: 'The bank addressed it to you',
    read: 'It tells of money that came in',
    own_account: 'It is about your account',
    matched: 'The amount is that of the order: paid',
  },
  waitingForMail: 'Waiting for the mail. Most banks send it within a minute.',
  waiting: 'Waiting',
  wrongRecord: (told: string, recorded: string) =>
    `The alert is about ${told}; recorded is ${recorded}. If ${told} is your account, correct the record, and then start the proof again. If it is not, somebody else’s money was told to you: change nothing.`,
  correct: (account: string) => `Correct it to ${account}`,
  proven: 'Proven: payments are confirmed',
  provenText: 'A real payment went the whole way. Now take your first one from a customer.',
  paymentText:
    'Take it with your phone (a new payment, the counter or a link that stays), or from your website: create a key and copy the code.',
  thanks: 'Thank you',
  thanksText: 'You can close this page. The shop sees the result on its own screen.',
};

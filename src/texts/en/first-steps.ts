export const firstSteps = {
  text: 'Five steps, and the last one is a proof: one rupee, really paid and really confirmed.',
  done: 'Done',
  open: 'To do',
  failed: 'Failed',
  nameText: (name: string) => `Customers read “${name}” on the payment page.`,
  changeName: 'Change it in the settings',
  account: 'Your UPI account',
  accountTodo:
    'Add the UPI ID that receives the money, the name that UPI apps show, its bank, and the last digits of the bank account.',
  accountDone: (vpa: string) => `Customers pay to ${vpa}.`,
  accountAt: (bank: string, digits: string | null) =>
    `The money arrives at ${bank}${digits === null ? '' : `, account …${digits}`}: no other alert counts.`,
  noBank: 'Its bank is not written beside it yet, so we cannot confirm payments to it.',
  noDigits:
    'The last digits of its bank account are not recorded, but your bank prints them: no alert confirms a payment to it.',
  nameBank: 'Name the bank and the digits',
  mailbox: 'How your alerts reach us',
  mailboxTodo:
    'Connect the mailbox to which your bank sends its alerts. The connection is tested before it is kept.',
  mailboxDone: (address: string) => `${address} is being read.`,
  connect: 'Connect the mailbox',
  bank: 'Your bank’s alerts',
  bankText: 'Your bank must send a mail for every credit, however small. Choose your bank:',
  choose: 'Show how',
  bankSteps: (address: string | null) => [
    'Sign in to your bank’s net banking or app and look for “Alerts”, “Notifications” or “Alert settings”.',
    'Switch alerts for money received (credits) on, by e-mail; SMS is of no use here.',
    'Set the smallest amount to ₹1 or ₹0, so that every credit sends a mail.',
    address === null
      ? 'Make sure that the mails go to the mailbox that you connect in the step before this one.'
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
  proof: 'The proof: pay ₹1',
  proofText: 'Ask another person to pay one rupee from their phone. Then watch the alert pass every check.',
  whyOther:
    'It must be another person: a bank does not send an alert when you pay yourself from the same account.',
  webhook: 'Webhook address of your shop',
  webhookHint: 'Leave it empty if you have no server yet: we take the webhook ourselves.',
  start: 'Start the proof',
  again: 'Start again with a new amount',
  needFirst: 'First finish your UPI account and the way your alerts reach us.',
  payExactly: (amount: string) => `Pay exactly ${amount}`,
  scan: 'Scan this with any UPI app on another person’s phone.',
  qr: (amount: string) => `QR code to pay ${amount}`,
  openPage: 'Or open the payment page',
  until: 'Payable until',
  over: 'The time is over. If you have paid, the alert still counts for ten more minutes.',
  checks: 'The checks',
  gates: {
    arrived: 'A bank mail arrived',
    signed: 'The bank’s signature is genuine',
    addressed: 'The bank addressed it to you',
    read: 'It tells of money that came in',
    own_account: 'It is about your account',
    matched: 'The amount is that of the order: paid',
  },
  waitingFor: {
    arrived: 'Waiting for the mail. Most banks send it within a minute.',
    signed: 'Waiting',
    addressed: 'Waiting',
    read: 'Waiting',
    own_account: 'Waiting',
    matched: 'Waiting',
  },
  wrongRecord: (told: string, recorded: string) =>
    `The alert is about ${told}; recorded is ${recorded}. If ${told} is your account, correct the record, and then start the proof again. If it is not, somebody else’s money was told to you: change nothing.`,
  correct: (account: string) => `Correct it to ${account}`,
  proven: 'Proven: payments are confirmed',
  provenText:
    'A real payment went the whole way. Your shop’s server is next: create a key and copy the code.',
  toIntegrations: 'Go to Integrations',
  thanks: 'Thank you',
  thanksText: 'You can close this page. The shop sees the result on its own screen.',
};

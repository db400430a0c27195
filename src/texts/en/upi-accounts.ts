export const upiAccounts = {
  text: 'Where your customers’ money goes. It never passes through us.',
  accountId: 'Account ID (for the API)',
  vpa: 'UPI ID',
  vpaHint: 'Such as chaipoint@okaxis. Check every letter: money sent to a wrong one is gone.',
  payeeName: 'Name shown in the UPI app',
  payeeHint: 'Exactly as the customer’s app shows it, so that they trust it.',
  kind: 'Kind of account',
  personal: 'Personal',
  personalHint:
    'An ordinary UPI ID. Customers scan the QR from another screen, or type the UPI ID and the amount.',
  merchant: 'Merchant',
  merchantHint: 'Verified by your bank as a business. Customers can also open their app with one tap.',
  code: 'Merchant category code',
  codeHint: 'Four digits from your bank, for merchant accounts only.',
  digits: 'Last digits of the bank account',
  digitsHint: (unusual: readonly (readonly [count: number, banks: readonly string[]])[]) =>
    `As many as your bank’s alerts print: four at most banks${unusual
      .map(([count, banks]) => `; ${count === 0 ? 'none' : count} at ${banks.join(', ')}`)
      .join('')}.`,
  digitsWhy:
    'Without them, anybody with an account at your bank could pass their own money off as yours; with them, other digits never count.',
  digitsFault: (bank: string, count: number) =>
    `${bank}’s alerts print ${count} digits of the account: enter the last ${count}.`,
  bankHint: 'Where the money of this UPI ID arrives. Only alerts of this bank count.',
  noBank:
    'Its bank is not written here yet, so we cannot confirm payments to it. Name the bank and the digits.',
  changeBank: 'Change bank or digits',
  bankTitle: (vpa: string) => `The bank account of ${vpa}`,
  bankText:
    'From now on only alerts of this bank about this account confirm payments, also for orders that are open now. The owner is told.',
  bankSubmit: 'Save the bank account',
  bankFlash: (vpa: string) => `The bank account of ${vpa} was changed.`,
  ceiling: 'You look yourself',
  ceilingAbove: (sum: string) => `above ${sum}`,
  ceilingNever: 'not because of the sum',
  reviewOnly: (bank: string) =>
    `Mails of ${bank} are reported to tell of money that never came. Each payment waits until you have found it in your account.`,
  changeCeiling: 'Look at large payments yourself',
  ceilingTitle: (vpa: string) => `Large payments to ${vpa}`,
  ceilingText:
    'A payment above this sum does not make its order paid by itself: the order waits until you say with one tap that the money is in your account. Leave it empty, and none waits.',
  ceilingField: 'Above how many rupees',
  ceilingWrong: 'Enter a sum from 1 to 10,00,000 rupees, or nothing.',
  ceilingFlash: (vpa: string) => `Saved for ${vpa}.`,
  takings: 'Payments without order',
  takingsOn: 'counted and told',
  takingsOff: 'wait for you under Money',
  countTakings: 'Count payments without order',
  stopTakings: 'Stop counting payments without order',
  takingsTitle: (vpa: string) => `Payments to ${vpa} without an order`,
  countConsequences: [
    'For a shop whose QR code hangs on the wall: whoever pays it stands on the Counter, and is spoken if its sound is on.',
    'Such a payment never makes an order paid by itself. If it belongs to an order, you can give it to that order later.',
    'It is in the day’s sum and counts to your plan’s month, as payments of orders do.',
    'What may be an open order’s (the sum without its paise, a wrong digit) waits for you as before; so does what your bank’s mail leaves in doubt.',
    'The owner of the business is told.',
  ],
  stopConsequences: [
    'Payments without an order are no longer told on the Counter: each waits for you under Money.',
    'What was counted stays counted.',
    'The owner of the business is told.',
  ],
  isDefault: 'Default',
  makeDefault: 'Make default',
  paused: 'Paused',
  pausedWhy: (limit: number) =>
    `Your plan has room for ${limit} UPI ${limit === 1 ? 'account' : 'accounts'}; the oldest keep working. Orders on this one are refused until the plan is larger or an older account is removed.`,
  addText:
    'You are asked to confirm that it is you, and the owner is told: a changed UPI ID is where thieves begin.',
  submit: 'Add the account',
  addedFlash: (vpa: string) => `${vpa} was added.`,
  defaultFlash: (vpa: string) => `New orders that name no account now go to ${vpa}.`,
  removedFlash: (vpa: string) => `${vpa} was removed.`,
  defaultTitle: (vpa: string) => `Make ${vpa} the default account?`,
  defaultConsequences: (vpa: string) => [
    `Customers of new orders that name no account are asked to pay to ${vpa}.`,
    'Orders that are open now keep their account.',
    'The owner of the business is told.',
  ],
  removeTitle: (vpa: string) => `Remove ${vpa}?`,
  removeConsequences: [
    'New orders on this account are refused with invalid_payment_account.',
    'Orders that are open now can still be paid and are still confirmed.',
    'The owner of the business is told.',
  ],
  removeLast: 'It is your only account: until you add another one, no order can be created.',
  cannotRemoveDefault: 'This is the default account. Make another one the default first.',
  twice: 'This UPI ID is on your list already.',
  faults: {
    vpa: 'This is not a UPI ID. It looks like name@bank, without spaces.',
    payee_name: 'Enter the name, at most 99 characters.',
    kind: 'Choose the kind of account.',
    merchant_code: 'A category code has four digits, and only merchant accounts have one.',
    bank: 'Choose the bank from the list.',
    account_digits: 'Enter two to six digits, or nothing.',
  },
  emptyTitle: 'No UPI account yet',
  emptyText:
    'Add the UPI ID that your customers are to pay to. Without one the API answers upi_not_configured.',
};

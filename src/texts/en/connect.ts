/** The consent of one-click connect, and the list of what was agreed to. */
export const connect = {
  title: 'Connect a shop',
  ask: (shop: string, business: string) => `“${shop}” wants to take payments for ${business}`,
  host: 'Address of the shop',
  hostHint:
    'Agree only if this is your own shop. The name is what the shop calls itself; the address is who gets the key.',
  name: 'Calls itself',
  business: 'Your business',
  webhooks: 'Payments are announced to',
  getsTitle: 'What the shop will be able to do',
  gets: [
    'Create orders that your customers pay into your UPI account.',
    'Read all orders of your business, with names and mail addresses of customers.',
    'Verify webhooks: it gets your webhook secret.',
  ],
  getsNotTitle: 'What it will not be able to do',
  getsNot: [
    'Move or hold money. There is no way to do that here.',
    'Change your UPI accounts, your mailbox or your team, or sign in as you.',
  ],
  account: 'The money goes to',
  isDefault: 'Your default account',
  accountFault: 'Choose one of your UPI accounts.',
  agree: 'Connect this shop',
  decline: 'No, go back',
  noAccount: 'Add a UPI account first: the shop’s customers pay into it. Then you come back here.',
  addAccount: 'Add a UPI account',
  badTitle: 'This shop cannot be connected',
  bad: (parameter: string) =>
    `What the shop sent cannot be used: ${parameter} is missing or not allowed. Nothing was shared with the shop. Whoever looks after it finds the rules in the documentation.`,
  badDocs: 'Rules for shops that want to connect',
  shops: 'Connected shops',
  shopsText:
    'They got their key by one click on Connect in the shop. Ending a connection revokes its key at once.',
  shop: 'Shop',
  connected: 'Connected',
  end: 'Disconnect',
  endTitle: (name: string) => `Disconnect the shop “${name}”?`,
  endConsequences: [
    'From this moment the shop can neither create orders nor read them.',
    'Orders that are open now can still be paid, and their webhooks are still sent.',
    'The shop keeps the webhook secret it was given. If you do not trust it, replace the secret too.',
    'The shop can be connected again at any time. The owner of the business is told.',
  ],
  endedFlash: (name: string) => `The shop “${name}” was disconnected.`,
};

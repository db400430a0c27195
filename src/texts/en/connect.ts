/** The consent of one-click connect, and the list of what was agreed to. */
export const connect = {
  title: 'Connect a shop',
  ask: '“{shop}” wants to take payments for {business}',
  host: 'Address of the shop',
  hostHint:
    'Agree only if this is your own shop. The name is what the shop calls itself; the address is who gets the key.',
  name: 'Calls itself',
  webhooks: 'Payments are announced to',
  getsTitle: 'What the shop will be able to do',
  gets: [
    'Create orders that your customers pay into your UPI account.',
    'Read all orders of your business, with names and mail addresses of customers.',
    'Verify webhooks about its own orders: it gets a webhook secret of its own.',
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
  badTitle: 'This shop cannot be connected',
  bad: 'What the shop sent cannot be used: {parameter} is missing or not allowed. Nothing was shared with the shop. Whoever looks after it finds the rules in the documentation.',
  badDocs: 'Rules for shops that want to connect',
  shops: 'Connected shops',
  shopsText:
    'They got their key by one click on Connect in the shop. Ending a connection revokes its key at once. Each has a webhook secret of its own.',
  connected: 'Connected',
  end: 'Disconnect',
  endTitle: 'Disconnect the shop “{name}”?',
  endConsequences: [
    'From this moment the shop can neither create orders nor read them.',
    'Orders that are open now can still be paid, and their webhooks are still sent.',
    'Its webhook secret ends with it: only webhooks about orders it made before are still signed with it, and none of your other shops believes it.',
    'The shop can be connected again at any time. The owner of the business is told.',
  ],
  endKnowsBusiness:
    'This shop was connected before shops had webhook secrets of their own and knows that of your business. If you do not trust it, replace that secret too.',
  endedFlash: 'The shop “{name}” was disconnected.',
  rotateTitle: 'Replace the webhook secret of “{name}”?',
  rotateConsequences: [
    'Webhooks about orders of this shop are signed with the new secret at once. No other shop is touched.',
    'For 24 hours they carry a signature of the old secret too, so that the shop can change over in peace.',
    'The new secret is shown once. Put it into the shop; or simply connect the shop again, which gives it a new key and a new secret by itself.',
    'The owner of the business is told.',
  ],
  businessSecret: 'Uses your business’s webhook secret. Replace it to give the shop one of its own.',
  newSecret: 'The new webhook secret of “{name}”',
  newSecretOnce:
    'This is the only time it is shown. Put it into the shop now; the old one signs beside it for 24 hours.',
} as const;

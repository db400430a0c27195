export const mailbox = {
  starting: 'Starting',
  needsLogin: 'Password refused',
  seeingText: 'Everything works: a new alert is noticed within seconds.',
  startingText: 'The mailbox was connected a moment ago and is being read for the first time.',
  blindText:
    'We cannot read the mailbox now. We keep trying, and then find the alerts that arrived meanwhile.',
  needsLoginText: 'The mail server no longer takes the password. Enter a new one below.',
  provider: 'Provider',
  changed: 'Mails come changed',
  changedText:
    'The bank’s mails are changed on their way, so their signature no longer holds and none of them confirms a payment.',
  changedCount: 'Mails of your bank that came changed since the last good one: {count}.',
  lastAlert: 'Last bank alert',
  error: 'What went wrong',
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect {address}?',
  disconnectConsequences: [
    'From this moment new orders cannot be paid: the payment page asks your customers to contact you.',
    'While a payment link is open, its payment is still confirmed: the mailbox is read until the last one is over, for seventeen minutes at most, and then the password is wiped. Without open links that happens at once.',
    'Alerts and orders that are stored already stay.',
    'The owner is notified.',
  ],
  disconnected: 'The mailbox was disconnected and its password wiped.',
  disconnecting:
    'The mailbox is being disconnected: it is read until the last open payment link is over, and then its password is wiped.',
  ending: 'Being disconnected',
  endingText:
    'It is read for the payment links that were open, and then its password is wiped. New orders cannot be paid. To keep it, connect it again below.',
  readUntil: 'Read until',
  replaceText:
    'Connecting another address ends the reading of this one at once: payments of links that are open now are then looked for in the new mailbox alone.',
  change: 'Change the connection',
  connectText: 'The connection is tried first, and kept only when it works.',
  addressHint: 'The address to which your bank sends its alerts.',
  passwordHint: 'Kept encrypted. Most providers want an app password here, not the usual one.',
  hints: {
    gmail: 'Gmail takes an app password: Google account, Security, App passwords.',
    outlook: 'Outlook takes no passwords: use the button “Sign in with Microsoft”.',
    zoho: 'Zoho takes an application-specific password when two-factor sign-in is on. Its free plan has no IMAP.',
    yahoo: 'Yahoo takes an app password: Account security, Generate app password.',
    other: 'Name the server under “More settings”.',
  },
  uses: {
    works: 'the mailbox can be connected',
    forwarding: 'only the forwarding address',
    no: 'does not work',
  },
  advice: {
    gmail:
      'Does this mail come from another account? Then use that account itself, because Google ends POP fetching and Gmailify in 2026. Else connect the mailbox with an app password, or forward with a filter.',
    outlook:
      'Users report that Microsoft alters mails after they arrive, and then they confirm no payment. We have not tried it. Give your bank your forwarding address. If you connect the mailbox all the same, your bank’s first mail decides.',
    zoho: 'Switch IMAP on in Zoho’s settings. For a domain of your own we read imappro.zoho.in, else imap.zoho.in. The free plan has no IMAP: then give your bank your forwarding address.',
    yahoo: 'Connect the mailbox with an app password. Forwarding needs a paid plan.',
    other:
      'Connect it by its server’s name, or forward. If Microsoft keeps the mails of your domain, give your bank your forwarding address. If Zoho does, choose Zoho Mail.',
  },
  findings: {
    open: 'Your bank’s first mail will show whether this mailbox leaves mails unchanged.',
    unchanged: 'Your bank’s mails come through this mailbox unchanged, so they confirm payments.',
    changed: 'This mailbox changed a mail of your bank: give your bank your forwarding address.',
  },
  username: 'User name',
  usernameHint: 'Only where it differs from the address.',
  host: 'Mail server (IMAP)',
  hostHint: 'For “Another mail server” only, such as imap.example.in.',
  port: 'Port',
  folders: 'Further folders',
  foldersHint: 'INBOX and Junk are always read. Separate names by commas.',
  more: 'More settings',
  submit: 'Connect',
  connected: 'The mailbox is connected and is being read from now on.',
  signIn: 'Sign in with {provider}',
  signInText:
    'No password is stored: {provider} gives us a permission that you can take back there at any time.',
  signInMissing: 'Signing in with {provider} is not set up on this installation; its operator can do that.',
  goOn: 'Go on to {provider}',
  signInTitle: 'Sign in with your mail provider',
  signInFailed: 'Signing in with the mail provider did not work. Start again under Bank and UPI.',
  extra: 'Extra alert addresses',
  extraText:
    'Does your bank send alerts to another address, which forwards to your mailbox or to your forwarding address? List it here. It counts once you prove that it is yours.',
  extraEmptyText:
    'Only alerts that the bank addresses to the mailbox or to the forwarding address itself count.',
  extraLabel: 'Address the bank writes to',
  extraSubmit: 'Send a code to it',
  confirmed: 'Counts',
  waiting: 'Waiting for its code',
  code: 'Code from the mail',
  codeHint: 'Eight digits. If the address forwards to us, the code is found by itself.',
  confirmCode: 'Confirm',
  codeSent: 'A code was sent to {address}.',
  alreadyConfirmed: '{address} counts already.',
  codeConfirmed: '{address} is confirmed: alerts addressed to it count from now on.',
  wrongCode: 'This code is not right, or it has expired.',
  taken: 'Another business on this installation reads this address already.',
  removeTitle: 'Remove {address}?',
  removeConsequences: [
    'Alerts that the bank addresses to it no longer confirm payments.',
    'The owner is notified.',
  ],
  removed: '{address} was removed.',
} as const;

export const forwarding = {
  title: 'Forward the alerts',
  lead: 'No password: your mail provider sends the bank’s alerts on to an address that is your business’s alone. The bank’s signature comes along, so every check is the same.',
  otherLead:
    'We read the bank’s mails in your mailbox. That needs an app password or a sign-in with your provider.',
  both: 'One of them is enough; both may run side by side. The same alert counts once.',
  notHere: 'This installation takes no forwarded mail. Its operator can set that up.',
  open: 'Get my forwarding address',
  opened: 'Your forwarding address is ready.',
  leaving: 'The business is being deleted: there is no new address.',
  address: 'Your forwarding address',
  secret:
    'Give it to your mail provider, or to your bank as your e-mail address, and to nobody else. Whoever knows it still cannot pay your orders, but can send you rubbish.',
  works: 'Mail comes through',
  worksText: 'What is forwarded reaches us.',
  waiting: 'Nothing came yet',
  waitingText: 'Set up the forwarding as shown below. This changes by itself with the first mail.',
  silent: 'Silent',
  silentText:
    'Our test mails no longer come back, so alerts do not come either. Look at the forwarding at your mail provider.',
  lastAlert: 'Last bank alert by forwarding',
  probe: 'Test mail to {address}',
  probeBack: 'came back after',
  probeChanged: 'came back changed.',
  probeWaiting: 'on its way since',
  probeNone: 'not sent yet',
  probeFailed: 'could not be sent',
  noProbes:
    'This installation sends no mails, so the forwarding cannot be tested by itself. Judge it by the age of the last alert.',
  noAddress:
    'No address is confirmed yet. Unless your bank writes to the forwarding address itself, confirm the address that it writes to.',
  test: 'Test it now',
  tested: 'A test mail leaves now. It comes back within a minute if the forwarding works.',
  requests: 'Your mail provider asks',
  requestsNone:
    'As soon as you enter the address at your mail provider, its question appears here, with the code and the link.',
  askedBy: '{address} wants to send its mail on to you.',
  asked: '{provider} asks; its signature is genuine.',
  ifYours: 'If that is your address: open the link, or type the code at your provider. If not, do nothing.',
  noProof:
    'This alone proves nothing to us. Alerts to that address count once it is confirmed by our own code.',
  code: 'Code',
  link: 'Open the link',
  providers: {
    gmail: 'Gmail',
    zoho: 'Zoho Mail',
    yahoo: 'Yahoo Mail',
    fastmail: 'Fastmail',
    rediffmail: 'Rediffmail',
  } as Record<string, string>,
  prove: 'Confirm the address that your bank writes to',
  proveText:
    'We mail a code to it. If the forwarding is set up, the code comes back by itself; else type it here.',
  filter: 'Search words for the filter',
  filterHint: 'The senders of your bank, and ours, whose test mails have to come along.',
  guide: 'How to set it up',
  guides: [
    {
      name: 'Gmail and Google Workspace',
      steps: [
        'On a computer: Settings, “See all settings”, “Forwarding and POP/IMAP”, “Add a forwarding address”. Enter your forwarding address.',
        'Google sends a question to it. It appears on this page within seconds: open its link, or type its code in Gmail.',
        'Paste the search words into Gmail’s search box, open the search options, “Create filter”, tick “Forward it to” with your forwarding address, and “Never send it to Spam”.',
        'Leave the forwarding of all mail switched off: the filter is enough. A Workspace administrator may have to allow forwarding.',
      ],
    },
    {
      name: 'Zoho Mail',
      steps: [
        'Settings, Mail Accounts, your address, “Forwards”: add your forwarding address. Zoho’s question appears on this page; its link asks for your Zoho sign-in.',
        'Then Settings, Filters: a filter for the senders below whose action sends the mail on to that address.',
        'Zoho switches a forwarding off by itself when mails are refused several times: our test mails notice that.',
      ],
    },
    {
      name: 'Yahoo Mail',
      steps: [
        'Yahoo forwards with a paid plan only: Settings, Mailboxes, your address, “Forwarding”. All mail is then sent on; we keep nothing but the bank’s.',
        'Without that plan connect the mailbox with an app password instead.',
      ],
    },
    {
      name: 'Outlook.com, Hotmail and Microsoft 365',
      steps: [
        'A rule “Forward to” at Outlook.com rewrites the mail, which breaks the bank’s signature: such a mail confirms nothing.',
        'Microsoft 365 blocks forwarding to the outside unless its administrator allows it. “Redirect to” changes less, but try it with one alert before you rely on it.',
        'Better: enter your forwarding address at your bank.',
      ],
    },
    {
      name: 'Another mail server',
      steps: [
        'An alias or a redirect that changes nothing works. Whatever adds a footer, a word in the subject or “Fwd:” breaks the bank’s signature.',
      ],
    },
  ],
  replace: 'Replace the address',
  replaceTitle: 'Replace the forwarding address?',
  replaceConsequences: [
    'The address of now takes mail only until the last open payment link is over, for seventeen minutes at most; without open links it ends at once.',
    'Enter the new one at your mail provider, and at your bank if it writes there directly. Until then no payment is confirmed by forwarding.',
    'The owner is notified.',
  ],
  replaced: 'Here is your new forwarding address. Enter it at your mail provider.',
  stop: 'Stop forwarding',
  stopTitle: 'Give the forwarding address up?',
  stopConsequences: [
    'It takes mail only until the last open payment link is over, for seventeen minutes at most; then mails to it are refused.',
    'Without a connected mailbox no new order can be paid.',
    'The owner is notified.',
  ],
  stopped: 'The forwarding address was given up. Remove it at your mail provider too.',
} as const;

/** A mail of the own bank that no program can read for certain, and its owner can. */
export const heldMail = {
  title: 'Read this mail yourself',
  text: '{bank} signed this mail and sent it to you. Something in it keeps us from saying for certain which words are the bank’s.',
  mail: 'The mail',
  marked: 'What is marked may have been written by the payer. Nothing can be chosen from there.',
  account: 'Account that the bank names',
  choose: 'What came in, and for which order',
  compare:
    'Open your bank’s app first. Accept only what you see there: this sum, this reference, at this time. A mail alone is no reason to deliver.',
  amount: 'The sum that your bank’s app shows',
  reference: 'The reference that your bank’s app shows',
  named: 'its customer gave the reference {reference}',
  noReference: 'No reference can be chosen: a payer may have written what looks like one.',
  order: 'The order that it belongs to',
  noOrder: 'No unpaid order of that time was found. Look for it.',
  chooseAll: 'Choose one of each: the sum, the reference and the order.',
  ownersOnly: 'Owners alone can read a held mail and take it for an order.',
  notInSupportView: 'What the mail says is not shown to an operator who looks on: the owner alone sees it.',
  nothing:
    'Nothing can be chosen from this mail. Compare it with your bank’s app; it is read again as soon as its wording is known.',
  counted: 'This mail has been read since, and this is what became of it.',
  open: 'Read it yourself …',
} as const;

export const alerts = {
  text: 'Mails that confirm no payment, and why: not from the bank, not to you, not understood, no money. They can pay nothing.',
  filter: 'Which mails',
  doubtful: 'Perhaps money',
  why: 'Why',
  order: 'Concerns order',
  nextTry: 'Next try',
  emptyTitle: 'No mail was refused',
  emptyText: 'Every mail that arrived was about real money to you. Alerts arrive through your mailbox.',
  noneTitle: 'No such mail',
  noneText:
    'This list has mails that name another account or could not be read. The other list has all, each with its reason.',
} as const;

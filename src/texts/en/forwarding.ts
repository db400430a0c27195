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
        'A rule “Forward to” at Outlook.com writes the mail anew and breaks the bank’s signature: such a mail confirms nothing.',
        'Microsoft 365 blocks forwarding to the outside unless its administrator allows it. “Redirect to” changes less, but try it with one alert before you rely on it.',
        'Better: enter your forwarding address at your bank, or connect the mailbox by signing in with Microsoft.',
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
    'The owner of the business is told.',
  ],
  replaced: 'Here is your new forwarding address. Enter it at your mail provider.',
  stop: 'Stop forwarding',
  stopTitle: 'Give the forwarding address up?',
  stopConsequences: [
    'It takes mail only until the last open payment link is over, for seventeen minutes at most; then mails to it are refused.',
    'Without a connected mailbox no new order can be paid.',
    'The owner of the business is told.',
  ],
  stopped: 'The forwarding address was given up. Remove it at your mail provider too.',
} as const;

/** The pack of evidence for a paid order: a card on its page, and the page in the pack. */
export const evidence = {
  title: 'Evidence pack',
  text: 'One file for a bank, the police or a dispute: the order, the bank’s signed mail with its key and how anybody can check it, the webhooks and the statement’s line. It holds personal data of your customer: give it only to whom it concerns.',
  button: 'Download the evidence (ZIP)',
  heading: 'Evidence of a payment of {sum}',
  made: 'Made for {business} by {who}, {at}.',
  order: 'The order',
  created: 'Made',
  expires: 'Could be paid until',
  mail: 'What proves it',
  byItself:
    'The bank mailed that this money came in and signed the mail (DKIM). {service} checked the signature, the signed recipient and the account, and the exact amount and time fitted this order alone; it became paid by that, without anybody’s doing.',
  byPerson:
    'The bank mailed that this money came in and signed the mail (DKIM). It did not fit the order by itself: {who} decided that it belongs to this order, {at}.',
  note: 'Note',
  readBy:
    'The mail’s wording could not be read by the program with certainty: {who} read it and chose sum and reference among the bank’s own figures.',
  check: 'How to check it',
  gone: 'The raw mail is no longer kept: its time of keeping is over, or it was erased on request. What was read from it then stands above; its signature cannot be checked any more.',
  steps: [
    'Nothing was changed since the pack was made: sha256sum -c SHA256SUMS',
    'With the key that the bank publishes today: dkimverify < mail.eml (Debian’s package python3-dkim, or any other DKIM verifier).',
    'Banks replace their keys. With the key that stood in the bank’s DNS at that time, which is in dkim-key.txt: python3 verify.py (twenty lines; read them first).',
  ],
  restored:
    'Gmail replaced the mail’s Message-ID on arrival, which breaks the signature. mail.eml is as it arrived; mail-as-signed.eml has the bank’s own Message-ID back, which the mail itself carries. Check that one.',
  shows:
    'A valid signature shows that the bank’s own server wrote this mail, to this recipient, with these figures, unchanged since. It does not show that the money stayed in the account: the bank’s statement does.',
  statement: 'In the bank’s statement',
  noStatement: 'No statement was compared for this day yet.',
  webhooks: 'What the shop was told',
  noWebhooks: 'No webhook was sent.',
} as const;

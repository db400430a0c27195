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
  notInALook: 'What the mail says is not shown to an operator who looks on: the owner alone sees it.',
  nothing:
    'Nothing can be chosen from this mail. Compare it with your bank’s app; it is read again as soon as its wording is known.',
  counted: 'This mail has been read since, and this is what became of it.',
  open: 'Read it yourself …',
} as const;

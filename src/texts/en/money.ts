/** Money that needs a person: where each rupee that paid no order by itself is brought to its end. */
export const money = {
  waiting: {
    one: 'One payment of {sum} waits for you.',
    other: '{count} payments, {sum} in all, wait for you.',
  },
  unknownPayer: 'Payer not named',
  possibleDuplicate: {
    text: 'It may be one payment that your bank reported more than once. Each of these has the same sum, account and minute, or a number that may be the reference of both. Look into your bank’s app whether the money came once or twice before you accept it or give it back.',
    other: 'the other one',
    held: 'held, not read yet',
    elsewhere: 'another business here that has the same bank account',
    two: 'I looked into my bank’s app: this is another payment than those',
  },
  kinds: {
    no_order: 'No order for it',
    orderless: 'Without order',
    too_late: 'Came too late',
    extra_payment: 'Paid twice',
    told_twice: 'Reported twice?',
    attached: 'Waits for your decision',
    to_give_back: 'To give back',
    given_back: 'Given back',
    kept: 'Kept',
    accepted: 'Accepted',
  },
  says: {
    no_order: 'No order asked for this sum at that time.',
    orderless:
      'It came without an order and is counted so. There is nothing to do, unless it belongs to an order.',
    declined:
      'It is exactly what {order} asked for, which you declined before: give it back, or accept it after all.',
    lateForSeveral:
      '{count} orders of the last two days asked for exactly this sum, and their time was over.',
    not_arrived:
      'It is exactly what {order} asked for, and nobody found it in the account. If it comes after all, accept it for that order; if it never does, keep the note and end it here.',
    too_late: 'It is the sum of {order}, but its time was over.',
    possibleDuplicate:
      'It may be one payment that your bank reported twice: another mail has the same sum in the same minute, or may have its reference.',
    duplicateOf:
      'It may be the payment of {order}, reported twice: the same sum in the same minute, without a reference.',
    extra_payment: '{order} was paid already. This is the same sum a second time.',
    attached: '{order} asked for {sum} and waits for you.',
    to_give_back: 'You declined it for {order}. The money is still in your account.',
    likely: 'Most likely for {order}, which asked for {sum}.',
    paidByAnother: '{order} comes close and is paid by another payment: the customer may have paid twice.',
    several: '{count} orders come close.',
  },
  slips: {
    base: 'The customer left the paise out.',
    rounded: 'The customer rounded the sum.',
    swapped: 'The customer swapped two digits.',
    wrong_digit: 'One digit is wrong.',
  },
  others: {
    claimed: 'Who says they paid with this reference',
    claimedText:
      'Customers typed it on their payment pages. It proves nothing: whoever paid can show it in their UPI app, beside the time and the sum. Ask before you accept; the other orders stay as they are.',
    asked: 'Orders that asked for exactly this sum',
    askedText: 'Their time was over when the money came. It is most likely meant for one of them.',
    saidPaid: 'the customer said they paid',
    thisOne: 'this order',
  },
  byReference: 'The customer gave the reference of this payment.',
  thisOrder: 'this order',
  thisOrderFirst: 'This order',
  decide: 'Decide',
  keep: 'Keep it',
  missing: {
    title: 'Not found in your bank’s statement: {count}',
    text: 'A mail that the bank signed paid these orders, and the bank’s statement covers their days and has no such line. They stay paid. Look into your account for each sum; if it is not there, ask the bank before you deliver more. A later statement that has the line clears it here.',
    fromMail: 'From the mail',
    found: 'It is in my account',
    foundFlash: 'Noted: the money of this order is in your account.',
  },
  oversold: {
    title: 'Sold once more than there is: {title}',
    text: 'The link had {stock} to sell. A payment came after its time was over, and by then its piece had gone to somebody else. Both have paid: decide whom you can serve, and give the other their money back in your bank’s app.',
    buyer: 'Buyer',
    done: 'I have dealt with it',
    doneFlash: 'It has left the list.',
  },

  done: {
    kept: '{sum} kept.',
    given_back: '{sum} given back.',
    accepted: 'The order is paid.',
    declined: 'Declined. Give the money back in your own UPI app.',
    attached: 'The order waits for your decision.',
    notArrived: 'Noted. Nothing is paid; the payment stays in the list, and the order goes on as before.',
  },
  refusals: {
    unknown_credit: 'This payment is no longer there.',
    not_genuine: 'This mail is not a genuine payment to you, so it can pay nothing.',
    credit_taken:
      'Somebody has already decided about this payment, or it has counted for another business here. Look at it again.',
    counted_before:
      'Its signature or reference has counted before: the same payment was reported before, and cannot pay twice.',
    maybe_counted:
      'It may be a payment that has counted already. Look at the other one in your bank’s app, and say that they are two.',
    unknown_order: 'This order is not there, or has left your history.',
    order_paid: 'This order is paid already.',
    order_waits_for_another: 'This order waits for a decision about another payment. Decide that one first.',
    not_one_tap: 'One tap is not enough here. Compare the two and confirm with your password.',
    not_offered:
      'That figure is not among those offered, or the mail reads differently now. Look at it again.',
    more_than_received: 'That is more than is left of this payment.',
    given_meanwhile: 'Something was given back since you opened this page. Look at the sum again.',
    changed_since: 'This was not undone: somebody has changed it since.',
    undo_over: 'This was not undone: five minutes are over.',
    other_account: 'This payment went to another bank account than the one of this order.',
  },

  payment: 'Payment of {sum}',
  chooseTitle: 'It belongs to an order',
  likely: 'Most likely',
  around: 'Unpaid orders of about this sum',
  found: 'Found',
  nothingAround: 'No unpaid order comes close.',
  nothingFound: 'No unpaid order with this number or sum.',
  search: 'Order number or sum',
  searchHint: 'The whole number, or the rupees that the order asked for.',
  find: 'Find',
  payBack:
    'Scan with your own UPI app. It sends {sum} from your account to {id}. Your bank says that the money came from there.',
  payBackName: 'Before you enter your PIN, check that your app shows the name of the person you mean.',
  payBackQr: 'QR code to pay {sum} back to {id}',
  payBackHere: 'With this screen on your only phone, copy the UPI ID above into your app.',
  returnReference: 'Reference of your payment',
  returnReferenceHint: 'As your bank’s app shows it. You can leave it empty.',
  returnReferenceWrong: 'At most 40 letters and digits, without blanks.',
  note: 'Note for yourself and your team',
  addNote: 'Add a note',
  keepTitle: 'Keep it with a note',
  keepText: 'A tip, a payment by other means, something you settled with the customer. It leaves the list.',

  asked: 'Asked',
  received: 'Received',
  difference: 'Difference',
  none: 'None',
  tooLittle: '{sum} less',
  tooMuch: '{sum} more',
  farOff: 'These two sums are far apart. Make sure that this is the right order.',
  countedBefore:
    'This money was counted as a payment without order and stood at the Counter. Make sure that nobody got something for it there already.',
  beforeOrder: 'The money came before this order was created.',
  acceptText:
    'Accepting makes the order paid for good. If it is a website order, the website may deliver at once.',
  accept: 'Accept: the order is paid',
  lookFor: {
    mailSays: 'Bank’s email',
    ask: 'Is {sum} in your account?',
    text: 'Look into your bank’s app. Yes makes the order paid for good. If it is a website order, the website may deliver at once.',
    yes: 'Yes, it is in my account',
    noText: 'No pays nothing: the order goes on as before, and the payment stays in the list.',
    no: 'No, it is not there',
  },
  declineText:
    'Declining ends the order as failed. The money stays on the list until you have given it back.',
  decline: 'Decline: I give the money back',
  hold: 'Decide later',
  holdText: 'The order waits in review, and its customer sees that you are looking at it.',
  otherAnswer: 'Another answer',
  notThis: 'It is not for this order',
  notThisText: 'The order goes on as before, and the payment back to the list.',
  mayNot: 'Owners and managers decide about money.',
  onOrder: {
    waiting: 'This order waits for your decision',
    came: 'Money that came for this order',
    claims: 'What the customer says',
    claimsText: 'References that were typed on the payment page. They prove nothing by themselves.',
    claimHere: 'Money with this reference has arrived.',
    claimNotHere: 'No payment with this reference has arrived.',
    attached: '{by} said that money belongs to this order',
    accepted: 'Accepted by {by}',
    declined: 'Declined by {by}',
    givenBack: 'Money given back, as {by} noted',
    kept: '{by} kept the money without an order',
    notArrived: '{by} did not find the money in the account',
    reopened: '{by} took the decision back',
  },
} as const;

/** The pack of evidence for a paid order: a card on its page, and the page in the pack. */
export const evidence = {
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
  webhooks: 'What your website received',
  noWebhooks: 'No webhook was sent.',
} as const;

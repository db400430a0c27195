/** Of a row of the audit log: its subject, its details or one of the facts in them, by name. */
type AuditFact = (name: string) => string;

/**
 * Each entry of the audit log as a sentence without its subject, which stands beside it: who did it. `{name}` is a fact,
 * `{role:name}` and `{bank:name}` are the words for one that is a code, `{(one, other)}` those that are given, in brackets.
 */
export const audit = {
  sign_in: 'Signed in',
  'session.end': 'Ended a session',
  'session.end_others': 'Ended all other sessions{(details)}',
  'password.change': 'Changed the password',
  'password.recovered': 'Chose a new password through a link',
  'password.recovery_link': 'Made a link for a new password for {subject}',
  'two_step.on': 'Switched two-step sign-in on',
  'two_step.off': 'Switched two-step sign-in off for {subject}',
  'payment_link.create': 'Made the payment link “{details}”',
  'payment_link.withdraw': 'Withdrew the payment link “{details}”',
  'recovery_code.use': 'Signed in with a recovery code',
  'recovery_codes.renew': 'Made new recovery codes',
  'device.add': 'Turned notices on for a device',
  'device.remove': 'Removed a device',
  'chat.add': 'Has notices sent to {subject}',
  'chat.test': 'Sent a test notice to {subject}',
  'chat.remove': 'Has no more notices sent to {subject}',
  'passkey.add': 'Added the passkey “{details}”',
  'passkey.remove': 'Removed the passkey “{details}”',
  'member.invite': 'Invited {subject} to the team as {role:details}',
  'member.uninvite': 'Withdrew the invitation of {subject}',
  'member.join': 'Joined the team as {role:details}',
  'member.role': 'Changed the role of {subject} from {role:before} to {role:after}',
  'member.remove': 'Removed {subject} from the team',
  'business.invite': 'Invited {subject} to open the business “{details}”',
  'business.open': 'Opened the business “{subject}”',
  'business.rename': 'Renamed the business from “{details}” to “{subject}”',
  'business.look': 'Changed the shop’s logo or colour',
  'business.languages': (fact: AuditFact) =>
    fact('subject') === ''
      ? 'Changed the languages of customers: en, hi'
      : 'Changed the languages of customers: en, hi, {subject}',
  'business.contact': (fact: AuditFact) =>
    fact('subject') === ''
      ? 'Took away how customers reach the shop'
      : 'Changed how customers reach the shop: {subject}',
  'plans.seller': (fact: AuditFact) =>
    fact('subject') === '' ? 'Ended the sale of plans' : 'Made business number {subject} the seller of plans',
  'plan.order': 'Went to pay for the plan “{details}”',
  'plan.bought': 'The plan “{plan}” was paid for {days} days with order {subject}',
  'plan.end': 'Ended the term of “{plan}” that order {subject} paid for, on {day}',
  'business.receipts': 'Changed the address or the GSTIN on receipts',
  'plans.apply': 'Changed these plans: {subject}',
  'business.plan': 'Changed the plan to “{details}”',
  'business.disable': 'Disabled the business{(details)}',
  'business.halt_orders': 'Let the business take no new orders{(details)}',
  'business.approve': 'Agreed to the business',
  'business.note': 'Wrote a note about business number {subject}',
  'terms.accept': 'Agreed to the terms, version {subject}',
  'operator.find': (fact: AuditFact) =>
    `Searched all businesses${fact('count') && `: ${fact('count')} found`}{(kind, hits)}`,
  'look.give': 'Let the operator look at the screens of business number {subject} for an hour',
  'look.take': 'Ended the operator’s look at the screens of business number {subject}',
  'look.begin': 'Began to look at the screens of business number {subject}',
  'look.end': 'Ended the look at the screens of business number {subject}',
  'report.settle': 'Was done with the report of the payment page of {subject}',
  'business.enable': 'Enabled the business',
  'business.delete': 'Asked for the business to be deleted',
  'business.delete_cancel': 'Called the deletion off',
  'business.export': 'Closed the business here, to leave with everything',
  'business.export_file': 'Downloaded everything of the business',
  'business.export_undo': 'Opened the business here again',
  'business.import': 'Took in the business from a file',
  'business.move': 'Moved the business to another database of this installation',
  'business.removed': 'Removed business number {subject}',
  'operator.create': 'Made {subject} an operator',
  'bank_entry.save': 'Saved a wording of {bank:subject}',
  'bank_entry.remove': 'Removed a wording of {bank:subject}',
  'bank_line.dismiss': 'Decided that a line of {bank:subject} is not listed: {details}',
  'upi_account.add': 'Added the UPI account {vpa} at {bank:bank}',
  'upi_account.default': 'Made {details} the default UPI account',
  'upi_account.bank':
    'Changed the bank account of {vpa} from {bank:bank_before} {digits_before} to {bank:bank} {digits}',
  'upi_account.ceiling': (fact: AuditFact) =>
    fact('ceiling') === ''
      ? 'Chose that payments to {vpa} are confirmed whatever their sum'
      : 'Chose that payments to {vpa} above ₹{ceiling} wait for a person',
  'upi_account.takings': (fact: AuditFact) =>
    fact('takings') === 'on'
      ? 'Chose that payments to {vpa} without an order are counted'
      : 'Chose that payments to {vpa} without an order are not counted',
  'upi_account.remove': 'Removed the UPI account {details}',
  'mailbox.connect': 'Connected the mailbox {subject}',
  'mailbox.disconnect': 'Disconnected the mailbox {subject}',
  'forwarding.open': 'Opened the forwarding address {subject}',
  'forwarding.replace': 'Replaced the forwarding address by {subject}',
  'forwarding.stop': 'Gave the forwarding address {subject} up',
  'alert_address.add': 'Added the alert address {subject}',
  'alert_address.confirm': 'Confirmed the alert address {subject}',
  'alert_address.remove': 'Removed the alert address {subject}',
  'api_key.create': 'Made the API key “{details}”',
  'api_key.revoke': 'Revoked the API key “{details}”',
  'connection.agree': 'Agreed to connect the website {subject}',
  'connection.collect': 'The website {name} was connected and has its key',
  'connection.rotate': 'Replaced the webhook secret of the website {details}',
  'connection.replayed': 'Ended the connection of {details}, because its code came twice',
  'webhook_secret.show': 'Looked at the webhook secret',
  'webhook_secret.rotate': 'Replaced the webhook secret',
  'webhook.resend': 'Sent a webhook again',
  'webhook.resend_failed': 'Sent all failed webhooks again ({subject})',
  'webhook.test': 'Sent a test event to {details}',
  'person.look': 'Looked up what is known of a customer',
  'person.export': 'Took along what is known of a customer',
  'person.erase': 'Had the traces of a customer erased: {subject}',
  'credit.attach': 'Said that some money belongs to order {order}',
  'mail.read': 'Read a mail that was held: ₹{amount}{(reference)} for order {order}',
  'credit.accept': 'Accepted money for order {order}: ₹{received} for ₹{asked}{(note)}',
  'credit.decline': 'Declined money for order {order}: ₹{received} for ₹{asked}{(note)}',
  'credit.given_back': 'Noted that ₹{amount} was given back{(reference, note)}',
  'oversold.end': 'Dealt with one piece too many of {details}',
  'statement.compare':
    'Compared a statement of {bank:subject}, {first} to {last}: {confirmed} orders confirmed, {missing} not found',
  'statement.found':
    'Said that the money of order {subject}, which a statement does not have, is in the account',
  'evidence.export': 'Took the evidence of order {subject}',
  'orders.export': 'Took the orders as CSV{(details)}',
  'archive.export': 'Took the archive of {subject}',
  'register.export': 'Took the register of {subject}',
  'statement.look': 'Compared a statement of {bank:subject} and marked nothing',
  'mail.look': 'Looked at a mail that was held',
  'keep.choose': 'Chose how long things are kept{(subject)}',
  'credit.keep': 'Kept ₹{amount} without an order{(note)}',
  'credit.reopen': (fact: AuditFact) =>
    fact('order') === '' ? 'Took a decision about money back' : 'Took the decision about order {order} back',
  'credit.not_arrived': 'Did not find the money for order {order} in the account',
  'order.proof': 'Started the proof of ₹1 with order {subject}',
  'notice.seen': 'Marked notices as seen',
  'workshop.look': 'The operator looked at a mail that could not be read',
  'near_misses.choose': (fact: AuditFact) =>
    fact('subject') === 'on'
      ? 'Chose that near misses wait for a decision'
      : 'Chose that near misses are only listed',
  'fresh_only.choose': (fact: AuditFact) =>
    fact('subject') === 'on'
      ? 'Chose that amounts which an earlier customer may still pay need a tap of the present one'
      : 'Chose that an exact payment pays, whoever had its amount before',
  'cap_added.choose': (fact: AuditFact) =>
    fact('subject') === 'on'
      ? 'Chose that at most 99 paise are added at the counter and by links'
      : 'Chose that more than 99 paise may be added at the counter and by links',
  'webhook.events': (fact: AuditFact) =>
    fact('subject') === '–' ? 'Chose which events are sent' : 'Chose which events are sent to {subject}',
};

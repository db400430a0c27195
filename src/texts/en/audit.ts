/** What a row of the audit log holds, and the words for what it names by a code. */
export type AuditFacts = {
  subject: string;
  details: string;
  fact: (name: string) => string;
  role: (code: string) => string;
  bank: (id: string) => string;
};

const noted = (...texts: string[]) => {
  const told = texts.filter(text => text !== '').join(', ');
  return told === '' ? '' : ` (${told})`;
};
const sums = (fact: AuditFacts['fact']) => `₹${fact('received')} for ₹${fact('asked')}${noted(fact('note'))}`;

/** Each entry of the audit log as a sentence without its subject, which stands beside it: who did it. */
export const audit = {
  sign_in: 'Signed in',
  'session.end': 'Ended a session',
  'session.end_others': ({ details }: AuditFacts) => `Ended all other sessions${noted(details)}`,
  'password.change': 'Changed the password',
  'password.recovered': 'Chose a new password through a link',
  'password.recovery_link': ({ subject }: AuditFacts) => `Made a link for a new password for ${subject}`,
  'two_step.on': 'Switched two-step sign-in on',
  'two_step.off': ({ subject }: AuditFacts) => `Switched two-step sign-in off for ${subject}`,
  'payment_link.create': ({ details }: AuditFacts) => `Made the payment link “${details}”`,
  'payment_link.withdraw': ({ details }: AuditFacts) => `Withdrew the payment link “${details}”`,
  'recovery_code.use': 'Signed in with a recovery code',
  'recovery_codes.renew': 'Made new recovery codes',
  'device.add': 'Turned notices on for a device',
  'device.remove': 'Removed a device',
  'chat.add': ({ subject }: AuditFacts) => `Has notices sent to ${subject}`,
  'chat.test': ({ subject }: AuditFacts) => `Sent a test notice to ${subject}`,
  'chat.remove': ({ subject }: AuditFacts) => `Has no more notices sent to ${subject}`,
  'passkey.add': ({ details }: AuditFacts) => `Added the passkey “${details}”`,
  'passkey.remove': ({ details }: AuditFacts) => `Removed the passkey “${details}”`,
  'member.invite': ({ subject, details, role }: AuditFacts) =>
    `Invited ${subject} to the team as ${role(details)}`,
  'member.uninvite': ({ subject }: AuditFacts) => `Withdrew the invitation of ${subject}`,
  'member.join': ({ details, role }: AuditFacts) => `Joined the team as ${role(details)}`,
  'member.role': ({ subject, fact, role }: AuditFacts) =>
    `Changed the role of ${subject} from ${role(fact('before'))} to ${role(fact('after'))}`,
  'member.remove': ({ subject }: AuditFacts) => `Removed ${subject} from the team`,
  'business.invite': ({ subject, details }: AuditFacts) =>
    `Invited ${subject} to open the business “${details}”`,
  'business.open': ({ subject }: AuditFacts) => `Opened the business “${subject}”`,
  'business.rename': ({ subject, details }: AuditFacts) =>
    `Renamed the business from “${details}” to “${subject}”`,
  'business.look': 'Changed the shop’s logo or colour',
  'business.languages': ({ subject }: AuditFacts) =>
    `Changed the languages of customers: ${['en', 'hi', subject].filter(Boolean).join(', ')}`,
  'business.contact': ({ subject }: AuditFacts) =>
    subject === ''
      ? 'Took away how customers reach the shop'
      : `Changed how customers reach the shop: ${subject}`,
  'plans.seller': ({ subject }: AuditFacts) =>
    subject === '' ? 'Ended the sale of plans' : `Made business number ${subject} the seller of plans`,
  'plan.order': ({ details }: AuditFacts) => `Went to pay for the plan “${details}”`,
  'plan.bought': ({ subject, fact }: AuditFacts) =>
    `The plan “${fact('plan')}” was paid for ${fact('days')} days with order ${subject}`,
  'plan.end': ({ subject, fact }: AuditFacts) =>
    `Ended the term of “${fact('plan')}” that order ${subject} paid for, on ${fact('day')}`,
  'business.receipts': 'Changed the address or the GSTIN on receipts',
  'plans.apply': ({ subject }: AuditFacts) => `Changed these plans: ${subject}`,
  'business.plan': ({ details }: AuditFacts) => `Changed the plan to “${details}”`,
  'business.disable': ({ details }: AuditFacts) => `Disabled the business${noted(details)}`,
  'business.halt_orders': ({ details }: AuditFacts) => `Let the business take no new orders${noted(details)}`,
  'business.approve': 'Agreed to the business',
  'business.note': ({ subject }: AuditFacts) => `Wrote a note about business number ${subject}`,
  'terms.accept': ({ subject }: AuditFacts) => `Agreed to the terms, version ${subject}`,
  'operator.find': ({ fact }: AuditFacts) =>
    `Looked for the business of ${fact('text')}${noted(fact('hits'))}`,
  'look.give': ({ subject }: AuditFacts) =>
    `Let the operator look at the screens of business number ${subject} for an hour`,
  'look.take': ({ subject }: AuditFacts) =>
    `Ended the operator’s look at the screens of business number ${subject}`,
  'look.begin': ({ subject }: AuditFacts) => `Began to look at the screens of business number ${subject}`,
  'look.end': ({ subject }: AuditFacts) => `Ended the look at the screens of business number ${subject}`,
  'report.settle': ({ subject }: AuditFacts) => `Was done with the report of the payment page of ${subject}`,
  'business.enable': 'Enabled the business',
  'business.delete': 'Asked for the business to be deleted',
  'business.delete_cancel': 'Called the deletion off',
  'business.export': 'Closed the business here, to leave with everything',
  'business.export_file': 'Downloaded everything of the business',
  'business.export_undo': 'Opened the business here again',
  'business.import': 'Took in the business from a file',
  'business.move': 'Moved the business to another database of this installation',
  'business.removed': ({ subject }: AuditFacts) => `Removed business number ${subject}`,
  'operator.create': ({ subject }: AuditFacts) => `Made ${subject} an operator`,
  'bank_entry.save': ({ subject, bank }: AuditFacts) => `Saved a wording of ${bank(subject)}`,
  'bank_entry.remove': ({ subject, bank }: AuditFacts) => `Removed a wording of ${bank(subject)}`,
  'bank_line.dismiss': ({ subject, details, bank }: AuditFacts) =>
    `Decided that a line of ${bank(subject)} is not listed: ${details}`,
  'upi_account.add': ({ fact, bank }: AuditFacts) =>
    `Added the UPI account ${fact('vpa')} at ${bank(fact('bank'))}`,
  'upi_account.default': ({ details }: AuditFacts) => `Made ${details} the default UPI account`,
  'upi_account.bank': ({ fact, bank }: AuditFacts) =>
    `Changed the bank account of ${fact('vpa')} from ${bank(fact('bank_before'))} ${fact('digits_before')} to ${bank(fact('bank'))} ${fact('digits')}`,
  'upi_account.ceiling': ({ fact }: AuditFacts) =>
    fact('ceiling') === ''
      ? `Chose that payments to ${fact('vpa')} are confirmed whatever their sum`
      : `Chose that payments to ${fact('vpa')} above ₹${fact('ceiling')} wait for a person`,
  'upi_account.takings': ({ fact }: AuditFacts) =>
    fact('takings') === 'on'
      ? `Chose that payments to ${fact('vpa')} without an order are counted`
      : `Chose that payments to ${fact('vpa')} without an order are not counted`,
  'upi_account.remove': ({ details }: AuditFacts) => `Removed the UPI account ${details}`,
  'mailbox.connect': ({ subject }: AuditFacts) => `Connected the mailbox ${subject}`,
  'mailbox.disconnect': ({ subject }: AuditFacts) => `Disconnected the mailbox ${subject}`,
  'forwarding.open': ({ subject }: AuditFacts) => `Opened the forwarding address ${subject}`,
  'forwarding.replace': ({ subject }: AuditFacts) => `Replaced the forwarding address by ${subject}`,
  'forwarding.stop': ({ subject }: AuditFacts) => `Gave the forwarding address ${subject} up`,
  'alert_address.add': ({ subject }: AuditFacts) => `Added the alert address ${subject}`,
  'alert_address.confirm': ({ subject }: AuditFacts) => `Confirmed the alert address ${subject}`,
  'alert_address.remove': ({ subject }: AuditFacts) => `Removed the alert address ${subject}`,
  'api_key.create': ({ details }: AuditFacts) => `Made the API key “${details}”`,
  'api_key.revoke': ({ details }: AuditFacts) => `Revoked the API key “${details}”`,
  'connection.agree': ({ subject }: AuditFacts) => `Agreed to connect the website ${subject}`,
  'connection.collect': ({ fact }: AuditFacts) => `The website ${fact('name')} was connected and has its key`,
  'connection.rotate': ({ details }: AuditFacts) => `Replaced the webhook secret of the website ${details}`,
  'connection.replayed': ({ details }: AuditFacts) =>
    `Ended the connection of ${details}, because its code came twice`,
  'webhook_secret.show': 'Looked at the webhook secret',
  'webhook_secret.rotate': 'Replaced the webhook secret',
  'webhook.resend': 'Sent a webhook again',
  'webhook.resend_failed': ({ subject }: AuditFacts) => `Sent all failed webhooks again (${subject})`,
  'webhook.test': ({ details }: AuditFacts) => `Sent a test event to ${details}`,
  'person.look': 'Looked up what is known of a customer',
  'person.export': 'Took along what is known of a customer',
  'person.erase': ({ subject }: AuditFacts) => `Had the traces of a customer erased: ${subject}`,
  'credit.attach': ({ fact }: AuditFacts) => `Said that some money belongs to order ${fact('order')}`,
  'mail.read': ({ fact }: AuditFacts) =>
    `Read a mail that was held: ₹${fact('amount')}${noted(fact('reference'))} for order ${fact('order')}`,
  'credit.accept': ({ fact }: AuditFacts) => `Accepted money for order ${fact('order')}: ${sums(fact)}`,
  'credit.decline': ({ fact }: AuditFacts) => `Declined money for order ${fact('order')}: ${sums(fact)}`,
  'credit.given_back': ({ fact }: AuditFacts) =>
    `Noted that ₹${fact('amount')} was given back${noted(fact('reference'), fact('note'))}`,
  'oversold.end': ({ details }: AuditFacts) => `Dealt with one piece too many of ${details}`,
  'statement.compare': ({ fact, subject, bank }: AuditFacts) =>
    `Compared a statement of ${bank(subject)}, ${fact('first')} to ${fact('last')}: ${fact('confirmed')} orders confirmed, ${fact('missing')} not found`,
  'statement.found': ({ subject }: AuditFacts) =>
    `Said that the money of order ${subject}, which a statement does not have, is in the account`,
  'evidence.export': ({ subject }: AuditFacts) => `Took the evidence of order ${subject}`,
  'orders.export': ({ details }: AuditFacts) => `Took the orders as CSV${noted(details)}`,
  'archive.export': ({ subject }: AuditFacts) => `Took the archive of ${subject}`,
  'register.export': ({ subject }: AuditFacts) => `Took the register of ${subject}`,
  'statement.look': ({ subject, bank }: AuditFacts) =>
    `Compared a statement of ${bank(subject)} and marked nothing`,
  'mail.look': 'Looked at a mail that was held',
  'keep.choose': ({ subject }: AuditFacts) => `Chose how long things are kept${noted(subject)}`,
  'credit.keep': ({ fact }: AuditFacts) => `Kept ₹${fact('amount')} without an order${noted(fact('note'))}`,
  'credit.reopen': ({ fact }: AuditFacts) =>
    fact('order') === ''
      ? 'Took a decision about money back'
      : `Took the decision about order ${fact('order')} back`,
  'credit.not_arrived': ({ fact }: AuditFacts) =>
    `Did not find the money for order ${fact('order')} in the account`,
  'order.proof': ({ subject }: AuditFacts) => `Started the proof of ₹1 with order ${subject}`,
  'notice.seen': 'Marked notices as seen',
  'workshop.look': 'The operator looked at a mail that could not be read',
  'near_misses.choose': ({ subject }: AuditFacts) =>
    subject === 'on'
      ? 'Chose that near misses wait for a decision'
      : 'Chose that near misses are only listed',
  'fresh_only.choose': ({ subject }: AuditFacts) =>
    subject === 'on'
      ? 'Chose that amounts which an earlier customer may still pay need a tap of the present one'
      : 'Chose that an exact payment pays, whoever had its amount before',
  'cap_added.choose': ({ subject }: AuditFacts) =>
    subject === 'on'
      ? 'Chose that at most 99 paise are added at the counter and by links'
      : 'Chose that more than 99 paise may be added at the counter and by links',
  'webhook.events': ({ subject }: AuditFacts) =>
    subject === '–' ? 'Chose which events are sent' : `Chose which events are sent to ${subject}`,
};

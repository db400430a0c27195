export const kept = {
  title: 'What is kept',
  text: 'What is stored of your business and of your customers, for how long, and why. Where you may choose, you choose.',
  hidesNothing: 'Your plan shows all of your history.',
  hides:
    'Your plan shows the last {days} days. What lies before is hidden at once and deleted 14 days later: a larger plan taken in between brings it back. To hide and to delete are two things; only what is deleted is gone.',
  what: 'What',
  howLong: 'How long',
  why: 'Why',
  who: 'Deleted by',
  /** Where there is neither a number nor a choice. */
  terms: {
    window: 'as long as your plan shows the order, and 14 days more',
    business: 'until the business is deleted',
    operator: 'as the operator of this service decides',
  },
  days: { one: '1 day', other: '{count} days' },
  by: {
    history: 'the worker that keeps history',
    accounts: 'the worker that looks after accounts',
    mail: 'the program that reads mailboxes',
    web: 'the program itself',
    operator: 'the operator',
  },
  kinds: {
    orders: {
      what: 'Orders, with the customer’s name, address and phone number where your shop sent them',
      why: 'You and your customer look them up.',
    },
    archives: {
      what: 'Monthly archives of orders that left (CSV)',
      why: 'Your books: tax law asks for them for years.',
    },
    raw_mails: {
      what: 'The bank’s mails, byte for byte',
      why: 'They prove a payment. One that waits for a decision stays until it is decided.',
    },
    claims: {
      what: 'References that customers typed',
      why: 'They find a payment that came late. One that waits for a decision stays.',
    },
    webhook_bodies: {
      what: 'What was sent to your shop, and what it answered',
      why: 'It can be sent again. What never arrived stays.',
    },
    notices: { what: 'Notices to you', why: 'You read up on what happened.' },
    page_reports: {
      what: 'What customers wrote who reported a payment page',
      why: 'The operator looks into it.',
    },
    operator_notes: {
      what: 'What the operator noted about your business',
      why: 'Whoever helps you next knows of it.',
    },
    payments: {
      what: 'What was read from a mail (amount, time, reference, payer), and what became of the money',
      why: 'Nothing counts twice, and your sums stay right.',
    },
    order_ids: {
      what: 'The number that your shop gave a paid order that was deleted',
      why: 'Nobody is charged for the same cart again.',
    },
    audit: {
      what: 'The audit log',
      why: 'Who did what. The law asks for at least a year; the entries are chained, so none is taken out.',
    },
    key_reads: {
      what: 'How often each API key read orders, by day',
      why: 'To see how far a lost key reached.',
    },
    sent_mails: {
      what: 'Mails to you and links in them, after they were sent',
      why: 'To find out why one did not arrive.',
    },
    sessions: {
      what: 'Sessions, with address and browser, after sign-in',
      why: 'You see who is signed in, and end it.',
    },
    places: { what: 'Places of mails in your mailbox', why: 'No mail is read twice.' },
    figures: {
      what: 'Counts of the installation, without names',
      why: 'The operator sees whether all is well.',
    },
    business: {
      what: 'Everything, after you asked for the business to be deleted',
      why: 'You may come back.',
    },
    backups: { what: 'Backups, encrypted', why: 'A disk breaks.' },
    logs: {
      what: 'The program’s log: addresses and ids, no payer’s name, no secret',
      why: 'Faults are found in it. The law asks for a year of it.',
    },
  },
  operatorNotice: 'How your data and your customers’ data are used',
  operatorWho: 'What {operator}, where this service runs, does with it, as facts.',
  operatorFacts: [
    'Your address and password (as a hash) sign you in; what you and your team do is in the audit log.',
    'Your bank’s alert mails are read, and nothing else in your mailbox: of other mails only who sent them. The mailbox’s password is kept encrypted and wiped when you disconnect.',
    'Of your customers it keeps what your shop sends, what the bank prints, and what they type. You decide about it; your customers ask you, and the payment page says so.',
    'Nothing is sold, and there is no advertising. The operator of the installation can read what is stored; each look at one of your mails stands in your audit log.',
    'You may take everything along, choose shorter times, and delete the business: then all of it goes after seven days, and from backups when those are dropped.',
  ],
  choose: 'Keep for a shorter time',
  chooseText:
    'In days. Leave a field empty to keep things as long as the table says. A change begins to delete after 14 days, and never takes what waits for a decision.',
  between: '{floor} to {most} days',
  atLeast: '{floor} days or more',
  wrong: 'Give a whole number of days within these bounds, or nothing.',
  pending: 'Changed lately: nothing is deleted by it before',
  ceiling: '{days} days at most, as the operator decided',
  saved: 'Saved. Nothing is deleted by it for the next 14 days.',
  toPage: 'See what is kept',
} as const;

import { keptTexts, personalNames } from '../orders/optional-fields.ts';

/** The thing that a row is about. Its id connects the rows about a person. */
export type TraceKind = 'alert' | 'order' | 'event' | 'notice' | 'deed' | 'note' | 'report';

const keys: Readonly<Record<TraceKind, string>> = {
  alert: 'alert_id',
  order: 'order_id',
  event: 'event_id',
  notice: 'notice_id',
  deed: 'seq',
  note: 'note_id',
  report: 'order_id',
};

type Written = {
  by: TraceKind;
  /** When the row `t` was written, mostly `t.created_at`. An erasure covers only earlier rows. */
  at?: string;
  /** Columns that are searched for a person's values. */
  search?: readonly string[];
  /** The SQL value that erasing leaves in each column, or `gone` if the row is deleted. */
  erased: Readonly<Record<string, string>> | 'gone';
  /** The other text columns, which say nothing about a person or which the books need. */
  kept: string;
};

/** Keeps only these facts, which name no customer; the others may quote a mail. */
const keeping = (names: string) =>
  `(select coalesce(jsonb_object_agg(k, v), '{}') from jsonb_each(case jsonb_typeof(t.facts) when 'object' then t.facts else '{}' end) as f (k, v) where k in (${names}))`;
const unknownPayer = `'{"payer": {"code": "unknown_payer", "facts": {}}}'`;
/** A URL's origin, because a shop may have put values into its path or query. */
const origin = (column: string) => `regexp_replace(t.${column}, '^([a-z]+://[^/?#]*).*$', '\\1/')`;

/** Every table that may hold something about a customer. Finding, exporting and erasing read it; a test checks it. */
const personalTables = {
  orders: {
    by: 'order',
    search: ['customer', ...personalNames, 'merchant_order_id', 'success_url', 'failure_url', 'webhook_url'],
    erased: {
      customer: 'null',
      ...Object.fromEntries(personalNames.map(name => [name, 'null'])),
      success_url: origin('success_url'),
      failure_url: origin('failure_url'),
      webhook_url: origin('webhook_url'),
    },
    // The shop's own id stays, because it prevents a second payment of a cart (R5). The report lists it.
    kept: ['order_id merchant_order_id status pay_token account_id alert_id erasure_id', ...keptTexts].join(
      ' ',
    ),
  },
  order_purposes: {
    by: 'order',
    search: ['purpose'],
    erased: { purpose: `''`, visitor: 'null', network: 'null', wide_network: 'null' },
    kept: 'order_id made_by link_id',
  },
  claimed_references: {
    by: 'order',
    at: 't.claimed_at',
    // Anybody can type another person's reference, so it is searched separately and leads to no order.
    erased: 'gone',
    kept: 'order_id bank_reference',
  },
  statement_marks: {
    by: 'order',
    at: 't.marked_at',
    search: ['line_key', 'line_text'],
    // The line's key stays, so that it cannot confirm another order. A reference becomes its hash with the alert.
    erased: { line_text: 'null' },
    kept: 'order_id alert_id bank state line_key marked_by',
  },
  // The sum and its day belong to the books.
  refunds: { by: 'order', at: 't.done_at', erased: {}, kept: 'order_id refund_id account_id done_by' },
  page_reports: {
    by: 'report',
    at: 't.reported_at',
    search: ['note'],
    erased: { note: `''` },
    kept: 'order_id settled_by',
  },
  // Author and time stay, so that an operator sees that there was a note.
  business_notes: {
    by: 'note',
    at: 't.written_at',
    search: ['note'],
    erased: { note: `''` },
    kept: 'author',
  },
  sales: {
    by: 'order',
    // The buyer is a business and is on its receipt, which belongs to the seller's books.
    erased: { bank_reference: 'null' },
    kept: 'order_id buyer plan title made_by seller',
  },
  alerts: {
    by: 'alert',
    at: 'coalesce(t.alert_time, t.arrived_at)',
    search: ['payer', 'bank_reference', 'facts'],
    erased: {
      payer: 'null',
      bank_reference: 'null',
      facts: keeping("'order', 'by', 'bank', 'domain', 'digits', 'code', 'status', 'count'"),
    },
    kept: `alert_id found_in verdict claim bank template account_digits payee_vpa signature_id other_signature_ids
      signing_domain selector recipient order_id near_misses reason_code addresses printed_at purse read_by trust erasure_id`,
  },
  raw_mails: { by: 'alert', at: 't.arrived_at', erased: 'gone', kept: 'alert_id raw' },
  handled_credits: {
    by: 'alert',
    at: 't.done_at',
    search: ['note', 'return_reference'],
    erased: { note: `''`, return_reference: 'null' },
    kept: 'alert_id state order_id found_by done_by',
  },
  possible_references: {
    by: 'alert',
    at: 't.noted_at',
    erased: 'gone',
    kept: 'alert_id bank_reference bank digits',
  },
  takings: { by: 'alert', at: 't.counted_at', erased: {}, kept: 'alert_id account_id' },
  events: {
    by: 'event',
    // Without its URL nobody can send it again.
    erased: { webhook_url: `''` },
    kept: 'event_id type order_id erasure_id',
  },
  event_bodies: { by: 'event', erased: 'gone', kept: 'event_id body' },
  delivery_log: {
    by: 'event',
    at: 't.started_at',
    erased: { request: 'null', response: 'null' },
    kept: 'event_id state failure asked_by',
  },
  given_up_events: { by: 'event', erased: 'gone', kept: 'event_id' },
  notices: {
    by: 'notice',
    search: ['facts'],
    erased: {
      facts: `${keeping("'amount', 'asked', 'at', 'order', 'count', 'alert', 'bank', 'arrived'")} || ${unknownPayer}`,
    },
    kept: 'kind dedupe_key',
  },
  audit_notes: {
    by: 'deed',
    at: '(select l.at from audit_log l where l.merchant_id = t.merchant_id and l.seq = t.seq)',
    search: ['words'],
    erased: 'gone',
    kept: 'salt words',
  },
} as const satisfies Record<string, Written>;

export type PersonalTable = Required<Written> & { key: string };

export const personalList = Object.entries<Written>(personalTables).map(
  ([name, table]): [string, PersonalTable] => [
    name,
    { key: keys[table.by], at: 't.created_at', search: [], ...table },
  ],
);

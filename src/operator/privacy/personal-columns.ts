/** Of which thing a row tells: its id is how the rows about a person are reached. */
export type TraceKind = 'alert' | 'order' | 'event' | 'notice' | 'deed' | 'note' | 'report';

/** The column with that id. */
const keys: Readonly<Record<TraceKind, string>> = {
  alert: 'alert_id',
  order: 'order_id',
  event: 'event_id',
  notice: 'notice_id',
  deed: 'seq',
  note: 'note_id',
  report: 'order_id',
};

/** Not the shop's to read. */
export const isOperators = (kind: TraceKind) => kind === 'note' || kind === 'report';

type Written = {
  by: TraceKind;
  /** When it was written, mostly `t.created_at`: an erasure is about what was there before it. `t` is the row. */
  at?: string;
  /** Columns in which a value of a person is looked for. */
  looked?: readonly string[];
  /** What erasing leaves in each column, as SQL; or the row goes whole. */
  erased: Readonly<Record<string, string>> | 'gone';
  /** Columns that say nothing about a person, or which the books need; the rest of those that hold text. */
  kept: string;
};

/** Facts that name no customer; the others may quote a mail. */
const keeping = (names: string) =>
  `(select coalesce(jsonb_object_agg(k, v), '{}') from jsonb_each(case jsonb_typeof(t.facts) when 'object' then t.facts else '{}' end) as f (k, v) where k in (${names}))`;
const unknownPayer = `'{"payer": {"code": "unknown_payer", "facts": {}}}'`;
/** An address without what a shop may have hung on it. */
const origin = (column: string) => `regexp_replace(t.${column}, '^([a-z]+://[^/?#]*).*$', '\\1/')`;

/**
 * Every table that can hold something about a customer: how it is found and what erasing does to it. Finding, exporting
 * and erasing read this, and a test compares it with the database: a new column has to be named here or below.
 */
const personalTables = {
  orders: {
    by: 'order',
    looked: ['customer', 'bank_reference', 'merchant_order_id', 'success_url', 'failure_url', 'webhook_url'],
    erased: {
      customer: 'null',
      bank_reference: 'null',
      success_url: origin('success_url'),
      failure_url: origin('failure_url'),
      webhook_url: origin('webhook_url'),
    },
    // The shop's own id is what keeps a cart from being paid twice (R5): the report names those that hold a value.
    kept: 'order_id merchant_order_id status pay_token account_id alert_id erasure_id',
  },
  order_purposes: {
    by: 'order',
    looked: ['purpose'],
    erased: { purpose: `''`, visitor: 'null', network: 'null', wide_network: 'null' },
    kept: 'order_id made_by link_id',
  },
  claimed_references: {
    by: 'order',
    at: 't.claimed_at',
    // Anybody can type anybody's reference: looked for apart, and it leads to no order.
    erased: 'gone',
    kept: 'order_id bank_reference',
  },
  statement_marks: {
    by: 'order',
    at: 't.marked_at',
    looked: ['line_key', 'line_text'],
    // The line's key still keeps it from confirming another order; a reference becomes its mark with the alert.
    erased: { line_text: 'null' },
    kept: 'order_id alert_id bank state line_key marked_by',
  },
  page_reports: {
    by: 'report',
    at: 't.reported_at',
    looked: ['note'],
    erased: { note: `''` },
    kept: 'order_id settled_by',
  },
  // Its author and its time stay, so that an operator sees that there was one.
  business_notes: {
    by: 'note',
    at: 't.written_at',
    looked: ['note'],
    erased: { note: `''` },
    kept: 'author',
  },
  sales: {
    by: 'order',
    // Who bought is a business, and stands on its receipt: those are the seller's books.
    erased: { bank_reference: 'null' },
    kept: 'order_id buyer plan title made_by seller',
  },
  alerts: {
    by: 'alert',
    at: 'coalesce(t.alert_time, t.arrived_at)',
    looked: ['payer', 'bank_reference', 'facts'],
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
    looked: ['note', 'return_reference'],
    erased: { note: `''`, return_reference: 'null' },
    kept: 'alert_id state order_id found_by done_by',
  },
  takings: { by: 'alert', at: 't.counted_at', erased: {}, kept: 'alert_id account_id' },
  events: {
    by: 'event',
    // Without an address nobody can ask for it again.
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
    looked: ['facts'],
    erased: {
      facts: `${keeping("'amount', 'asked', 'at', 'order', 'count', 'alert', 'bank', 'arrived'")} || ${unknownPayer}`,
    },
    kept: 'kind dedupe_key',
  },
  audit_notes: {
    by: 'deed',
    at: '(select l.at from audit_log l where l.merchant_id = t.merchant_id and l.seq = t.seq)',
    looked: ['words'],
    erased: 'gone',
    kept: 'salt words',
  },
} as const satisfies Record<string, Written>;

export type PersonalTable = Required<Written> & { key: string };

export const personalList = Object.entries<Written>(personalTables).map(
  ([name, table]): [string, PersonalTable] => [
    name,
    { key: keys[table.by], at: 't.created_at', looked: [], ...table },
  ],
);

/**
 * The tables that are no list of what customers did, each with its columns that hold text, and who or what those are
 * about. Three of them are treated apart: `order_archives` is rewritten, `counted_references` marked, and of `audit_log`
 * the report names the rows.
 */
export const otherTables = {
  order_archives: 'csv_gzip',
  counted_references: 'bank_reference alert_id',
  audit_log: 'actor action subject details address prior_hash hash',
  audit_heads: 'hash',
  // A line of a bank that no program knew; one that holds a value goes with the mail that it held up.
  held_lines: 'bank line surroundings',
  // The shop: itself, its accounts, its keys, what it sells and where it is told.
  merchants: `name plan webhook_secret old_webhook_secret contact_phone contact_whatsapp contact_email webhook_url
    wanted_events colour logo languages keeps receipt_address gstin terms_version disabled_reason`,
  api_keys: 'key_hash key_id name',
  key_reads: 'key_id',
  removed_orders: 'account_id',
  // Its own purchases, of the operator.
  terms: 'order_id plan title ended_by receipt',
  upi_accounts: 'account_id vpa payee_name kind merchant_code account_digits bank',
  connections: `code_hash code_challenge shop_name return_url webhook_url account_id user_id key_id webhook_secret
    old_webhook_secret`,
  connected_orders: 'order_id key_id',
  payment_links: 'link_id token title made_by',
  oversold_links: 'order_id other_order_id title',
  shop_logos: 'name bytes',
  statement_columns: 'bank columns',
  chats: 'chat_id place sealed topics language claim off_reason',
  failing_destinations: 'destination last_failure',
  template_payments: 'bank template',
  spent_order_ids: 'merchant_order_id',
  amounts: 'order_id',
  history_progress: 'archived_id early',
  // The people who work there.
  users: 'user_id email role password_hash language totp_secret totp_pending',
  sessions: 'session_id user_id token_hash stage address agent flash',
  account_links: 'link_id token_hash purpose email role business_name user_id made_by',
  passkeys: 'user_id credential_id name public_key transports',
  passkey_challenges: 'challenge purpose user_id',
  recovery_codes: 'user_id code_hash',
  push_devices: 'device_id user_id session_id endpoint p256dh auth agent',
  notice_choices: 'user_id topic',
  daily_summaries: 'user_id',
  guesses: 'subject',
  erasures: 'erasure_id asked_by marks sealed report',
  // What waits to be told: by ids, and worded when it is sent; letters are sealed, and wiped when they are sent.
  mails: 'recipient subject sealed_text failure claim',
  pushes: 'device_id topic order_id claim',
  chat_messages: 'chat_id topic order_id',
  delivery_queue: 'event_id destination asked_by',
  deliveries_in_hand: 'event_id destination',
  // The shop's mail: where it is read, and how far.
  mailboxes: 'provider address username host credential extra_folders',
  mailbox_positions: 'folder last_mails',
  mailbox_states: 'last_error',
  mailbox_leases: 'holder',
  found_mails: 'folder email_id',
  extra_alert_addresses: 'address code_hash probe_failure claim probe_change',
  forward_addresses: 'address',
  forward_requests: 'asked_by provider code link',
  counted_signatures: 'signature_id alert_id',
  claimed_credits: 'name alert_id digits',
  taken: 'kind name',
  // The installation. Skeletons are a mail without everything that differs from one to the next.
  bank_entries: 'bank entry note saved_by',
  bank_skeletons: 'bank template hash skeleton',
  bank_sources: 'bank kind source',
  bank_verdicts: 'bank verdict',
  claim_keys: 'sealed',
  dkim_keys: 'name record',
  erasure_keys: 'sealed',
  leases: 'name holder',
  mail_processes: 'process_id',
  migrations: 'name checksum version',
  plans: 'plan title upgrade_url',
  processes: 'process version',
  routines: 'routine details',
  told_counts: 'figure',
  write_trials: 'filling',
} as const satisfies Record<string, string>;

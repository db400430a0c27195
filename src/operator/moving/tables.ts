import type { tablesOfAMerchant } from '../../business/accounts/queries/merchants.ts';

/** How one table's rows travel with their business. An empty entry means that the whole table travels. */
export type Way = {
  never?: string;
  /** Why it stays when a business leaves. Within one installation it travels. */
  stays?: string;
  /** Why an import skips it, although the file has it. The old installation sends what is due. */
  skipped?: string;
  leavesWhere?: string;
  /** Columns without a meaning elsewhere. */
  without?: readonly string[];
  /** Columns that do not leave: secrets, and proofs that are valid only for this installation. */
  secret?: readonly string[];
  /** When a waiting row is due: never while the business is paused, and at once after the import. */
  due?: string;
  /** A column of bytes, which becomes a file of its own in the archive. */
  bytes?: { column: string; file: 'eml' | 'csv.gz' };
  /** Columns filled by a sequence, which must not fall behind the imported values. */
  drawn?: Record<string, string>;
  /** The number of rows per file of the archive, for large rows. */
  piece?: number;
};

const lease = ['claim', 'leased_until'];
const reading = 'the mailbox and its password stay: it is connected again';
const forwarding = 'the address belongs to this installation: forwarding is set up again';
const ofOlder = 'only release 0.2.0 wrote it';
const signedIn = 'people sign in again';
const sold = 'bought of this operator';
const operators = 'the operator’s own, about the business';
const sends = 'an import sends nothing that comes from the file';

/** Every table of a business. A missing one does not compile: say how it travels, or `{}` for the whole table. */
export const ways: Record<(typeof tablesOfAMerchant)[number] | 'counted_signatures', Way> = {
  merchants: {
    secret: ['webhook_secret', 'old_webhook_secret', 'secret_rotated_at']
      // Agreed between the business and this operator only: terms, permission to look, and sold plans.
      .concat(['terms_version', 'terms_accepted_at', 'look_until', 'sells_plans'])
      .concat(['disabled_at', 'no_new_orders', 'disabled_reason']),
  },
  business_notes: { stays: operators, drawn: { note_id: 'business_notes_note_id_seq' } },
  page_reports: { stays: operators },
  terms: { stays: sold },
  sales: { stays: sold },
  audit_heads: { never: 'made again from the last row of the log' },
  audit_log: {},
  audit_notes: {},
  erasures: { secret: ['sealed'], leavesWhere: 'done_at is not null and next_at is null' },
  users: { secret: ['password_hash', 'totp_secret', 'totp_pending', 'totp_last_step'] },
  account_links: { stays: 'they lead to the old address' },
  passkey_challenges: { never: 'good for minutes' },
  passkeys: {},
  recovery_codes: { stays: 'they belong to the second step of sign-in, which stays too' },
  sessions: { stays: signedIn },
  upi_accounts: {},
  api_keys: {},
  key_reads: {},
  connections: { stays: 'their secrets stay: shops connect again, and their keys keep working' },
  payment_links: {},
  notices: { skipped: sends, drawn: { notice_id: 'notices_notice_id_seq' } },
  mails: {
    skipped: sends,
    leavesWhere: 'sealed_text is null',
    without: lease,
    secret: ['next_try_at'],
    due: 'next_try_at',
    drawn: { mail_id: 'mails_mail_id_seq' },
  },
  daily_summaries: { skipped: sends },
  notice_choices: {},
  push_devices: { stays: signedIn },
  pushes: {
    stays: signedIn,
    without: lease,
    due: 'next_try_at',
    drawn: { push_id: 'pushes_push_id_seq' },
  },
  // An archive of release 0.2.0 may hold these two. The next release drops the tables.
  chats: { stays: ofOlder },
  chat_messages: { stays: ofOlder },
  forward_requests: { stays: forwarding },
  forward_addresses: { stays: forwarding },
  extra_alert_addresses: {
    without: lease,
    secret: ['confirmed_at', 'code_hash', 'code_expires_at', 'wrong_codes', 'codes_sent', 'first_code_at']
      // Only this installation has proof that the address is theirs.
      .concat(['probe_due_at', 'probe_sent_at', 'probe_waiting_since', 'probe_answer_sent_at'])
      .concat(['probe_answered_at', 'probe_failure', 'probe_change']),
    due: 'probe_due_at',
  },
  unconfirmable: { stays: reading },
  mailboxes: { stays: reading, drawn: { revision: 'mailbox_revisions' } },
  mailbox_states: { stays: reading },
  mailbox_leases: { stays: reading, drawn: { fence: 'mailbox_fences' } },
  mailbox_positions: { stays: reading },
  found_mails: { stays: reading },
  counted_references: {},
  possible_references: {},
  counted_signatures: {},
  alerts: {
    // Each installation numbers held lines itself, so the reference means nothing elsewhere.
    without: [...lease, 'held_line'],
    due: 'next_try_at',
    drawn: { arrival_number: 'arrivals' },
  },
  claimed_references: {},
  takings: {},
  handled_credits: {},
  template_payments: {},
  raw_mails: { bytes: { column: 'raw', file: 'eml' }, piece: 20 },
  spent_order_ids: {},
  removed_orders: {},
  history_progress: {},
  order_archives: { bytes: { column: 'csv_gzip', file: 'csv.gz' }, piece: 1 },
  collections: {},
  amounts: {},
  orders: { drawn: { arrival_number: 'arrivals' } },
  statement_marks: {},
  oversold_links: {},
  refunds: {},
  connected_orders: {},
  order_purposes: {},
  shop_logos: {},
  statement_columns: {},
  failing_destinations: { skipped: 'counted again where its webhooks are sent from' },
  events: {},
  event_bodies: { piece: 200 },
  given_up_events: {},
  delivery_log: { piece: 200, drawn: { delivery_id: 'delivery_ids' } },
  deliveries_in_hand: { never: 'waited for, until nothing is being sent' },
  delivery_queue: { due: 'due_at', drawn: { delivery_id: 'delivery_ids' } },
};

export type Kind = 'leaving' | 'inside';

export function whyLeftOut(way: Way, kind: Kind): string | null {
  return way.never ?? (kind === 'leaving' ? (way.stays ?? null) : null);
}

export function columnsLeftOut(way: Way, kind: Kind): string[] {
  return [...(way.without ?? []), ...(kind === 'leaving' ? (way.secret ?? []) : [])];
}

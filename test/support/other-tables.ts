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
  // The shop: itself, its accounts, its keys, its goods and its notification addresses.
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
  users: 'user_id email name role password_hash language totp_secret totp_pending',
  sessions: 'session_id user_id token_hash stage address agent flash',
  account_links: 'link_id token_hash purpose email role business_name user_id person made_by',
  passkeys: 'user_id credential_id name public_key transports',
  passkey_challenges: 'challenge purpose user_id',
  recovery_codes: 'user_id code_hash',
  push_devices: 'device_id user_id session_id endpoint p256dh auth agent',
  notice_choices: 'user_id topic',
  daily_summaries: 'user_id',
  guesses: 'subject',
  erasures: 'erasure_id asked_by marks sealed report',
  // Waiting notifications have only ids and get their words when sent; mails are sealed, and wiped when sent.
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
  written_functions: 'version checksum',
} as const satisfies Record<string, string>;

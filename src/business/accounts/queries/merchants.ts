import type { Queryable, Transaction } from '../../../base/database/connect.ts';

export async function renameMerchant(tx: Transaction, merchantId: number, name: string): Promise<void> {
  await tx`update merchants set name = ${name} where merchant_id = ${merchantId}`;
}

export type Contact = {
  contact_phone: string | null;
  contact_whatsapp: string | null;
  contact_email: string | null;
};

export async function selectContact(sql: Queryable, merchantId: number): Promise<Contact> {
  const [row] = await sql<Contact[]>`
    select contact_phone, contact_whatsapp, contact_email from merchants where merchant_id = ${merchantId}`;
  return row!;
}

export async function setContact(tx: Transaction, merchantId: number, contact: Contact): Promise<void> {
  const { contact_phone, contact_whatsapp, contact_email } = contact;
  await tx`
    update merchants set contact_phone = ${contact_phone}, contact_whatsapp = ${contact_whatsapp},
      contact_email = ${contact_email}
    where merchant_id = ${merchantId}`;
}

/** Sets until when an operator may look; null revokes it. This also ends looks under an earlier permission. */
export async function writeSupportView(
  tx: Transaction,
  merchantId: number,
  until: Date | null,
): Promise<void> {
  await tx`update merchants set look_until = ${until} where merchant_id = ${merchantId}`;
  await tx`update sessions set looks_at = null where merchant_id = 0 and looks_at = ${merchantId}`;
}

export async function selectSupportView(sql: Queryable, merchantId: number, now: Date): Promise<Date | null> {
  return await sql<{ look_until: Date }[]>`
    select look_until from merchants where merchant_id = ${merchantId} and look_until > ${now}`.value();
}

/** Skips the marker of a moved business: its deletion request is old, and its names are in use elsewhere. */
export async function selectDueToLeave(sql: Queryable, askedBefore: Date): Promise<number[]> {
  return await sql<{ merchant_id: number }[]>`
    select merchant_id from merchants where deletion_requested_at <= ${askedBefore}
      and (moved_at is null or left_at is not null) order by deletion_requested_at limit 20`.column();
}

/** The tables of what happened to a business. In both lists, tables that reference others come first. */
export const historyTables = [
  'erasures',
  'delivery_queue',
  'deliveries_in_hand',
  'delivery_log',
  'given_up_events',
  'event_bodies',
  'events',
  'failing_destinations',
  'order_purposes',
  'connected_orders',
  'oversold_links',
  'refunds',
  'statement_marks',
  'sales',
  'terms',
  'orders',
  'amounts',
  'collections',
  'removed_orders',
  'order_archives',
  'history_progress',
  'spent_order_ids',
  'raw_mails',
  'template_payments',
  'handled_credits',
  'takings',
  'claimed_references',
  'alerts',
  'counted_references',
  'possible_references',
  'found_mails',
  'mailbox_positions',
  'mailbox_leases',
  'mailbox_states',
  'mailboxes',
  'unconfirmable',
  'extra_alert_addresses',
  'forward_requests',
  // Only release 0.2.0 writes into chat_messages and chats.
  'chat_messages',
  'pushes',
  'mails',
  'notices',
  'payment_links',
] as const;

/** Every table with rows of a business. A test compares it with the schema. */
export const tablesOfAMerchant = [
  ...historyTables,
  'statement_columns',
  'shop_logos',
  'forward_addresses',
  'chats',
  'push_devices',
  'notice_choices',
  'daily_summaries',
  'connections',
  'key_reads',
  'api_keys',
  'upi_accounts',
  'sessions',
  'recovery_codes',
  'passkeys',
  'passkey_challenges',
  'account_links',
  'users',
  'business_notes',
  'page_reports',
  'audit_notes',
  'audit_log',
  'audit_heads',
  'merchants',
] as const;

/** Returns false if the owner cancelled at the last moment, or another process removed it. */
export async function beginRemoval(
  sql: Queryable,
  merchantId: number,
  { askedBefore, now }: { askedBefore: Date; now: Date },
): Promise<boolean> {
  return await sql`
    update merchants set removal_began_at = coalesce(removal_began_at, ${now})
    where merchant_id = ${merchantId} and deletion_requested_at <= ${askedBefore}
      and (moved_at is null or left_at is not null) returning merchant_id`.some();
}

/** Locks the business while some of its rows are deleted. Returns false if it is gone or open again. */
export async function lockRemoved(tx: Transaction, merchantId: number): Promise<boolean> {
  return await tx`
    select from merchants where merchant_id = ${merchantId} and removal_began_at is not null for update`.some();
}

export async function selectParts(sql: Queryable, table: string): Promise<string[]> {
  const rows = await sql<{ part: string }[]>`
    select relid::regclass::text as part from pg_partition_tree(${table}::regclass) where isleaf`;
  return rows.length === 0 ? [table] : rows.map(({ part }) => part);
}

/** Deletes rows by their physical place, so each step costs only what it deletes. */
export async function removeSome(
  tx: Transaction,
  table: string,
  merchantId: number,
  limit: number,
): Promise<number> {
  // The audit log's trigger requires this setting for a deletion; on Citus the worker needs it too.
  await tx.unsafe(
    `set local citus.propagate_set_commands = 'local'; set local milaan.removing_business = '${merchantId}'`,
  );
  // R2: a signature counts only once, ever. The kept hash no longer belongs to a business.
  if (table === 'alerts') await disownSignatures(tx, merchantId, limit);
  const [row] = await tx.unsafe(
    `with gone as (
       delete from ${table} where ctid = any (array(select ctid from ${table} where merchant_id = $1 ${inOrder(table)} limit $2))
       returning 1
     )
     select count(*) as count from gone`,
    [merchantId, limit],
  );
  return row?.['count'] ?? 0;
}

/** Deletes the same alerts whose signatures were just disowned. */
function inOrder(table: string): string {
  return table === 'alerts' ? 'order by alert_id' : '';
}

async function disownSignatures(tx: Transaction, merchantId: number, limit: number): Promise<void> {
  await tx`
    update counted_signatures s set merchant_id = 0, alert_id = '', settled = true
    from (
      select unnest(a.signature_id || a.other_signature_ids) as signature_id from (
        select signature_id, other_signature_ids from alerts where merchant_id = ${merchantId}
        order by alert_id limit ${limit}) a
    ) as going
    where s.signature_id = going.signature_id and s.merchant_id = ${merchantId}`;
}

export async function selectMerchantName(sql: Queryable, merchantId: number): Promise<string | null> {
  return await sql<{ name: string }[]>`select name from merchants where merchant_id = ${merchantId}`.value();
}

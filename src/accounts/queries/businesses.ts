import type { Queryable, Transaction } from '../../database/connect.ts';

export async function renameBusiness(tx: Queryable, merchantId: number, name: string): Promise<void> {
  await tx`update merchants set name = ${name} where merchant_id = ${merchantId}`;
}

/** How customers reach the shop, as far as it says so. */
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

export async function setContact(tx: Queryable, merchantId: number, contact: Contact): Promise<void> {
  const { contact_phone, contact_whatsapp, contact_email } = contact;
  await tx`
    update merchants set contact_phone = ${contact_phone}, contact_whatsapp = ${contact_whatsapp},
      contact_email = ${contact_email}
    where merchant_id = ${merchantId}`;
}

export async function markLeaving(tx: Queryable, merchantId: number, now: Date): Promise<boolean> {
  const rows = await tx`
    update merchants set deletion_requested_at = ${now}
    where merchant_id = ${merchantId} and deletion_requested_at is null
    returning merchant_id`;
  return rows.length === 1;
}

export async function unmarkLeaving(tx: Queryable, merchantId: number, askedAfter: Date): Promise<boolean> {
  const rows = await tx`
    update merchants set deletion_requested_at = null
    where merchant_id = ${merchantId} and deletion_requested_at > ${askedAfter}
    returning merchant_id`;
  return rows.length === 1;
}

export async function selectDueToLeave(sql: Queryable, askedBefore: Date): Promise<number[]> {
  const rows = await sql<{ merchant_id: number }[]>`
    select merchant_id from merchants where deletion_requested_at <= ${askedBefore} order by deletion_requested_at limit 20`;
  return rows.map(row => row.merchant_id);
}

/** Every table that holds rows of a business, those that point at others first. A test compares it with the schema. */
export const tablesOfABusiness = [
  'deliveries',
  'events',
  'failing_destinations',
  'statement_columns',
  'order_purposes',
  'orders',
  'amounts',
  'collections',
  'order_archives',
  'handled_credits',
  'claimed_references',
  'alerts',
  'counted_references',
  'found_mails',
  'mailbox_positions',
  'mailbox_leases',
  'mailbox_states',
  'mailboxes',
  'unconfirmable',
  'extra_alert_addresses',
  'forward_addresses',
  'forward_requests',
  'mails',
  'notices',
  'payment_links',
  'connections',
  'api_keys',
  'upi_accounts',
  'sessions',
  'recovery_codes',
  'passkeys',
  'passkey_challenges',
  'account_links',
  'users',
  'audit_log',
  'audit_heads',
  'merchants',
] as const;

/** Null when the owner came back at the last moment. */
export async function removeBusiness(
  tx: Transaction,
  merchantId: number,
  askedBefore: Date,
): Promise<string | null> {
  const [business] = await tx<{ name: string }[]>`
    select name from merchants where merchant_id = ${merchantId} and deletion_requested_at <= ${askedBefore} for update`;
  if (!business) return null;
  await tx`set local statement_timeout = 0`;
  // The audit log lets its rows go only to whoever says which business ends.
  await tx`select set_config('milaan.removing_business', ${String(merchantId)}, true)`;
  // R2: a signature counts once for ever. What is kept is a hash that belongs to nobody any more.
  await tx`
    update counted_signatures set merchant_id = 0, alert_id = '', settled = true where merchant_id = ${merchantId}`;
  for (const table of tablesOfABusiness) {
    await tx.unsafe(`delete from ${table} where merchant_id = $1`, [merchantId]);
  }
  return business.name;
}

export async function selectBusinessName(sql: Queryable, merchantId: number): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`select name from merchants where merchant_id = ${merchantId}`;
  return row?.name ?? null;
}

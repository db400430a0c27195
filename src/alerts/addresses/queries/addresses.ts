import type { Queryable, Transaction } from '../../../base/database/connect.ts';

/** The channel's message says that a test mail is due. */
export const probeChannel = 'probes';

export type ExtraAddressRow = {
  merchant_id: number;
  address: string;
  added_at: Date;
  confirmed_at: Date | null;
  code_hash: Buffer | null;
  code_expires_at: Date | null;
  wrong_codes: number;
  codes_sent: number;
  first_code_at: Date | null;
};

export async function listExtraAddresses(sql: Queryable, merchantId: number): Promise<ExtraAddressRow[]> {
  return await sql<ExtraAddressRow[]>`
    select * from extra_alert_addresses where merchant_id = ${merchantId} order by added_at, address`;
}

/** Locks the rows, so that two simultaneous guesses count as two. */
export async function lockExtraAddresses(sql: Queryable, merchantId: number): Promise<ExtraAddressRow[]> {
  return await sql<ExtraAddressRow[]>`
    select * from extra_alert_addresses where merchant_id = ${merchantId} order by address for update`;
}

/** Never writes `confirmed_at`. */
type NewCode = Omit<ExtraAddressRow, 'confirmed_at' | 'wrong_codes'>;

export async function writeCode(sql: Queryable, row: NewCode): Promise<void> {
  await sql`
    insert into extra_alert_addresses ${sql(row)}
    on conflict (merchant_id, address) do update set
      code_hash = excluded.code_hash, code_expires_at = excluded.code_expires_at, wrong_codes = 0,
      codes_sent = excluded.codes_sent, first_code_at = excluded.first_code_at`;
}

export async function markConfirmed(sql: Queryable, merchantId: number, address: string, now: Date) {
  await sql`
    update extra_alert_addresses set confirmed_at = ${now}, code_hash = null, code_expires_at = null
    where merchant_id = ${merchantId} and address = ${address}`;
}

/** Counts one more wrong code for each address; a code is void after `most`. */
export async function countWrongCode(
  sql: Queryable,
  merchantId: number,
  addresses: readonly string[],
  most: number,
): Promise<void> {
  await sql`
    update extra_alert_addresses
    set wrong_codes = wrong_codes + 1, code_hash = case when wrong_codes + 1 >= ${most} then null else code_hash end
    where merchant_id = ${merchantId} and address in ${sql([...addresses])}`;
}

export async function deleteExtraAddress(sql: Queryable, merchantId: number, address: string) {
  return await sql`
    delete from extra_alert_addresses where merchant_id = ${merchantId} and address = ${address}
    returning address`.some();
}

/** Whether another business already reads alerts of this address. */
export async function addressIsTaken(sql: Queryable, merchantId: number, address: string): Promise<boolean> {
  return await sql`
    select from mailboxes where address = ${address} and merchant_id <> ${merchantId}
    union all
    select from forward_addresses where address = ${address} and merchant_id <> ${merchantId}
    union all
    select from extra_alert_addresses
    where address = ${address} and merchant_id <> ${merchantId} and confirmed_at is not null`.some();
}

/** Selects the businesses that read alerts of these addresses, given in lower case. */
export async function selectReaders(sql: Queryable, addresses: readonly string[]): Promise<number[]> {
  return await sql<{ merchant_id: number }[]>`
    select merchant_id from mailboxes where address in ${sql([...addresses])}
    union all select merchant_id from forward_addresses where address in ${sql([...addresses])}
    union all select merchant_id from extra_alert_addresses
    where address in ${sql([...addresses])} and confirmed_at is not null`.column();
}

/**
 * Starts test mails for addresses whose mail comes through the forwarding. If the business also has a mailbox, that
 * must have been `seen`, because the address may forward to the mailbox instead. `address` null means all.
 */
export async function beginProbing(
  tx: Transaction,
  merchantId: number,
  { address, seen, now }: { address: string | null; seen: boolean; now: Date },
): Promise<void> {
  await tx`
    update extra_alert_addresses e set probe_due_at = ${now}
    where e.merchant_id = ${merchantId} and e.confirmed_at is not null and e.probe_due_at is null
      and (${address}::text is null or e.address = ${address})
      and exists (select from forward_addresses f where f.merchant_id = e.merchant_id and f.ends_at is null)
      and (${seen} or not exists (select from mailboxes b where b.merchant_id = e.merchant_id))`;
  await tx.notify(probeChannel, '');
}

/**
 * The addresses to which a bank may send this business's alerts (§1), in lower case: the connected mailbox, the
 * forwarding address, and confirmed extra addresses.
 */
export async function alertAddresses(sql: Queryable, merchantId: number): Promise<string[]> {
  return await sql<{ address: string }[]>`${listed(sql, merchantId)} order by address`.column();
}

export function addressArray(sql: Queryable, merchantId: number) {
  return sql`array(${listed(sql, merchantId)})`;
}

function listed(sql: Queryable, merchantId: number) {
  return sql`
    select address from mailboxes where merchant_id = ${merchantId}
    union
    select address from forward_addresses where merchant_id = ${merchantId}
    union
    select address from extra_alert_addresses where merchant_id = ${merchantId} and confirmed_at is not null`;
}

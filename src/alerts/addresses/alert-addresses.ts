import type { Queryable } from '../../base/database/connect.ts';

/**
 * Where a bank may address this business's alerts (§1), lower case: the connected mailbox, its own forwarding address,
 * and confirmed extra addresses.
 */
export async function alertAddresses(sql: Queryable, merchantId: number): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`${listed(sql, merchantId)} order by address`;
  return rows.map(row => row.address);
}

/** The same inside a statement, as an array. */
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

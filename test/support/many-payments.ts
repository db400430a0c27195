import type { Sql } from '../../src/base/database/connect.ts';
import type { TestMerchant, TestWorld } from './test-world.ts';

/**
 * Adds paid orders of one business, `o1` by alert `a1` and so on, a minute apart up to now, without statistics:
 * nobody analyzes these tables.
 */
export async function addManyPayments(
  { sql, clock }: TestWorld,
  { merchantId }: TestMerchant,
  count: number,
) {
  await leaveUnknown(sql, 'orders', 'alerts', 'counted_references', 'counted_signatures');
  const now = clock.now();
  await sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at, expires_at,
      paid_at, pay_token, account_id, success_url, failure_url, webhook_url, alert_id, bank_reference, received_paise, archived_at)
    select a.merchant_id, 'o' || n, 'cart-' || n, 100000, 100001, 'paid', moment, moment + interval '5 minutes',
      moment + interval '1 minute', 'token-' || n, a.account_id, '', '', '', 'a' || n, (700000000000 + n)::text, 100001, ${now}
    from upi_accounts a cross join generate_series(1, ${count}::int) n
      cross join lateral (select ${now}::timestamptz - (${count}::int - n) * interval '1 minute' as moment) at
    where a.merchant_id = ${merchantId}`;
  await sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, judged_at, bank, amount_paise,
      bank_reference, payer, account_digits, alert_time, signature_id, order_id)
    select o.merchant_id, o.alert_id, 1, o.paid_at, 'x', 'paid', o.paid_at, 'hdfc', o.received_paise, o.bank_reference,
      'payer of ' || o.order_id, '4321', o.paid_at, 'signature of ' || o.order_id || ' of ' || o.merchant_id, o.order_id
    from orders o where o.merchant_id = ${merchantId}`;
  await sql`
    insert into counted_references (merchant_id, bank_reference, alert_id, counted_at)
    select merchant_id, bank_reference, alert_id, arrived_at from alerts where merchant_id = ${merchantId}`;
  await sql`
    insert into counted_signatures (signature_id, merchant_id, alert_id, settled, counted_at)
    select signature_id, merchant_id, alert_id, true, arrived_at from alerts where merchant_id = ${merchantId}`;
}

/** Only who asks for it analyzes these tables. */
export async function leaveUnknown(sql: Sql, ...tables: string[]): Promise<void> {
  for (const table of tables) await sql.unsafe(`alter table ${table} set (autovacuum_enabled = off)`);
}

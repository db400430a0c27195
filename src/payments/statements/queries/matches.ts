import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { Finding } from '../compare-statement.ts';

/** Statements of one business take turns. */
export async function lockMatches(tx: Transaction, merchantId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('statement_marks', ${merchantId}))`;
}

type NewMatches = { merchantId: number; bank: string; by: string; now: Date };

/** Returns how many are newly confirmed. A line that confirmed one order confirms no other. */
export async function insertConfirmed(
  tx: Transaction,
  { merchantId, bank, by, now }: NewMatches,
  found: readonly (Finding & { booked: object })[],
): Promise<number> {
  const rows = await tx`
    insert into statement_marks (merchant_id, order_id, alert_id, bank, day, state, line_key, line_day, line_paise,
      line_text, marked_by, marked_at)
    select o.merchant_id, o.order_id, o.alert_id, ${bank}, f.day, 'confirmed', f.line_key, f.line_day, f.line_paise,
      f.line_text, ${by}, ${now}
    from unnest(${found.map(one => one.order_id)}::text[], ${found.map(one => one.credit.alert_id)}::text[],
        ${found.map(one => one.day)}::date[], ${found.map(one => one.booked.key)}::text[],
        ${found.map(one => one.booked.day)}::date[], ${found.map(one => one.booked.amount)}::bigint[],
        ${found.map(one => one.booked.text)}::text[])
        as f (order_id, alert_id, day, line_key, line_day, line_paise, line_text)
      cross join lateral (${paidOrder(tx, merchantId)}) o
    where not exists (select from statement_marks t
      where t.merchant_id = ${merchantId} and t.bank = ${bank} and t.line_key = f.line_key offset 0)
    for key share of o
    on conflict (merchant_id, order_id) do update set state = 'confirmed', bank = excluded.bank,
      line_key = excluded.line_key, line_day = excluded.line_day, line_paise = excluded.line_paise,
      line_text = excluded.line_text, marked_by = excluded.marked_by, marked_at = excluded.marked_at
    where statement_marks.state <> 'confirmed'
    returning order_id`;
  return rows.length;
}

/** Stores the orders that were not known to be missing. Those that were confirmed, or vouched for, stay so. */
export async function insertMissing(
  tx: Transaction,
  { merchantId, bank, by, now }: NewMatches,
  missing: readonly Finding[],
): Promise<string[]> {
  const rows = await tx<{ order_id: string }[]>`
    insert into statement_marks (merchant_id, order_id, alert_id, bank, day, state, marked_by, marked_at)
    select o.merchant_id, o.order_id, o.alert_id, ${bank}, f.day, 'missing', ${by}, ${now}
    from unnest(${missing.map(one => one.order_id)}::text[], ${missing.map(one => one.credit.alert_id)}::text[],
        ${missing.map(one => one.day)}::date[]) as f (order_id, alert_id, day)
      cross join lateral (${paidOrder(tx, merchantId)}) o
    for key share of o
    on conflict (merchant_id, order_id) do nothing
    returning order_id`;
  return rows.map(row => row.order_id);
}

/** The order of line `f`. `offset 0` finds it by its key, because a statement has thousands of lines. */
function paidOrder(tx: Transaction, merchantId: number) {
  return tx`select o.merchant_id, o.order_id, o.alert_id from orders o
    where o.merchant_id = ${merchantId} and o.order_id = f.order_id and o.alert_id = f.alert_id offset 0`;
}

/** A person found the money in the account. False if no statement misses it any more. */
export async function vouchFor(
  tx: Transaction,
  merchantId: number,
  orderId: string,
  { by, now }: { by: string; now: Date },
): Promise<boolean> {
  const rows = await tx`
    update statement_marks set state = 'vouched', marked_by = ${by}, marked_at = ${now}
    where merchant_id = ${merchantId} and order_id = ${orderId} and state = 'missing' returning order_id`;
  return rows.length === 1;
}

export type StatementMatch = {
  bank: string;
  day: string;
  state: 'confirmed' | 'missing' | 'vouched';
  line_day: string | null;
  line_text: string | null;
  marked_by: string;
  marked_at: Date;
};

export async function selectMatch(sql: Queryable, merchantId: number, orderId: string) {
  const [row] = await sql<StatementMatch[]>`
    select bank, day, state, line_day, line_text, marked_by, marked_at from statement_marks
    where merchant_id = ${merchantId} and order_id = ${orderId}`;
  return row ?? null;
}

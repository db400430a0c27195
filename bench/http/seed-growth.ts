import { stopwatch } from '../../src/base/clock.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { addMerchants, type Merchant } from './add-merchants.ts';

export type Size = { merchants: number; orders: number; alerts: number };

const firstMerchant = 1_000_000_000_001;
const days = 60;

/**
 * Fills a database by SQL alone, like a service after two months: an alert paid every fifth order, and its event was
 * delivered and logged. Each business's orders are spread evenly. Indexes of orders and alerts are built at the end.
 * Ten million orders take about ten minutes and 12 GB.
 */
export async function seedGrowth(
  sql: Sql,
  { merchants: count, orders, alerts }: Size,
  say: (line: string) => void,
): Promise<Merchant[]> {
  const merchants = await addMerchants(sql, firstMerchant, count);
  const elapsed = stopwatch();
  const step = async (what: string, text: string) => {
    await sql.begin(
      async tx => {
        await tx.unsafe(
          `set local statement_timeout = 0; set local synchronous_commit = off; set local session_replication_role = replica;
           set local maintenance_work_mem = '1GB'`,
        );
        await tx.unsafe(text);
      },
      { patient: true },
    );
    say(`${what}: ${Math.round(elapsed() / 1000)} s`);
  };
  const [row] = await sql<{ drops: string; creates: string }[]>`
    select string_agg(format('drop index %I', indexname), '; ') as drops, string_agg(indexdef, '; ') as creates
    from pg_indexes where schemaname = 'public' and tablename in ('orders', 'alerts') and indexname not like '%_pkey'`;
  await step('weeks', addWeeks);
  await step('indexes dropped', row!.drops);
  // Every fifth order is paid, as long as there are alerts. `place` counts from the oldest, and businesses take turns.
  const paid = `place % 5 = 0 and place / 5 <= ${alerts}`;
  const at = `now() - interval '${days} days' + place * (interval '${days} days' - interval '1 hour') / ${orders}`;
  await step(
    'orders',
    `insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
       expires_at, paid_at, alert_id, bank_reference, pay_token, account_id, success_url, failure_url, webhook_url, customer)
     select ${firstMerchant} + place % ${count}, 'ML-' || lpad(place::text, 10, '0'), 'cart-' || place,
       10000 + place % 90000 * 100, 10037 + place % 90000 * 100, case when ${paid} then 'paid' else 'pending' end,
       ${at}, ${at} + interval '5 minutes', case when ${paid} then ${at} + interval '1 minute' end,
       case when ${paid} then 'al_' || md5(place::text) end, case when ${paid} then '4' || lpad(place::text, 11, '0') end,
       'token-' || place, 'acc_' || ${firstMerchant} + place % ${count}, 'https://shop.example.com/thanks?cart=' || place,
       'https://shop.example.com/sorry?cart=' || place, 'https://shop.example.com/hooks/upi',
       '{"name":"Asha Rao","email":"asha@example.com"}'
     from generate_series(1, ${orders}) as place`,
  );
  await step(
    'alerts',
    `insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, judged_at, bank, template,
       amount_paise, bank_reference, payer, account_digits, alert_time, signature_id, signing_domain, selector, recipient, order_id)
     select merchant_id, alert_id, 9000, paid_at, 'INBOX', 'paid', paid_at, 'hdfc', 'upi', payable_paise, bank_reference,
       'asha@okbank', '4321', paid_at, md5(order_id), 'hdfcbank.bank.in', 's1', 'shop@mail.example', order_id
     from orders where status = 'paid';
     insert into counted_signatures select md5(order_id), merchant_id, alert_id, true, paid_at from orders where status = 'paid';
     insert into counted_references select merchant_id, bank_reference, alert_id, paid_at from orders where status = 'paid'`,
  );
  await step(
    'events',
    `insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
     select merchant_id, 'evt_' || md5(order_id), 'payment.paid', order_id, webhook_url, paid_at from orders where status = 'paid';
     insert into event_bodies (merchant_id, event_id, created_at, body)
     select merchant_id, event_id, created_at, repeat('x', 900) from events;
     insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, duration_ms,
       status_code, response, request, asked_by)
     select merchant_id, nextval('delivery_ids'), event_id, 1, 'delivered', created_at, created_at, 40, 200, 'ok', '{}', 'schedule'
     from events`,
  );
  await step('indexes', row!.creates);
  await sql.unsafe('vacuum analyze');
  await sql.unsafe('checkpoint');
  say(`ready: ${Math.round(elapsed() / 1000)} s`);
  return merchants;
}

/** Adds the past weeks' partitions; the service has created the future ones. */
const addWeeks = `do $$ declare week timestamptz; divided text; begin
  for week in select generate_series(date_trunc('week', (now() - interval '${days + 7} days') at time zone 'UTC') at time zone 'UTC',
    now() - interval '7 days', interval '7 days') loop
    foreach divided in array array['event_bodies', 'delivery_log', 'raw_mails'] loop
      execute format('create table if not exists %s_%s partition of %s for values from (%L) to (%L)', divided,
        to_char(week at time zone 'UTC', 'YYYYMMDD'), divided, week, week + interval '7 days');
    end loop;
  end loop; end $$`;

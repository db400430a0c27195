import { deflateSync } from 'node:zlib';
import { leaveUnknown } from './many-payments.ts';
import type { TestWorld } from './test-world.ts';

/**
 * Gives each business `count` orders and what grows with them, evenly over the last 30 days. Autovacuum is off: only the
 * caller collects statistics.
 */
export async function growMerchants(
  { sql, clock }: Pick<TestWorld, 'sql' | 'clock'>,
  merchantIds: number[],
  count: number,
): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select relname::text as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`;
  await leaveUnknown(sql, ...tables.map(({ name }) => name));
  await sql.begin(
    async tx => {
      await tx.unsafe('set local statement_timeout = 0; set local session_replication_role = replica');
      await tx.unsafe(
        `create temporary table n on commit drop as
         select merchant_id, n::int as n, n || '_' || merchant_id as id, n % 10 < 7 as is_paid,
           lpad(((n + merchant_id * 7919) % 100000000000)::text, 11, '0') as reference,
           '${clock.now().toISOString()}'::timestamptz - (${count} - place + (n % 10) / 10.0) * (interval '30 days' / ${count}) as at
         from unnest('{${merchantIds}}'::bigint[]) merchant_id cross join generate_series(1, ${count}) place
           cross join lateral (select place + merchant_id % 10 as n) shifted`,
      );
      for (const statement of statements) await tx.unsafe(statement);
    },
    { patient: true },
  );
}

const alert = (kind: string, columns: string, values: string, from = 'n') =>
  `insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, judged_at, alert_time, signature_id, ${columns})
   select merchant_id, '${kind}' || id, 3, at, 'INBOX', at, at, '${kind} signature ' || id, ${values} from ${from}`;
const credit = 'bank, account_digits, verdict, amount_paise, bank_reference, payer, is_ended';
const credited = (reference: string, isEnded: boolean) =>
  `'hdfc', '4321', 'no_order', 10000 + n % 1000, '${reference}' || reference, 'payer ' || id, ${isEnded}`;

const anAccount = '(select merchant_id, min(account_id) as account_id from upi_accounts group by 1)';

const statements = [
  `insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, received_paise, status, created_at,
     expires_at, paid_at, alert_id, bank_reference, pay_token, account_id, success_url, failure_url, webhook_url, customer)
   select merchant_id, 'o' || id, 'cart-' || id, 10000 + n % 1000, 10001 + n % 1000, case when is_paid then 10001 + n % 1000 end,
     case when is_paid then 'paid' when n % 10 = 7 then 'failed' else 'pending' end, at, at + interval '5 minutes',
     case when is_paid then at + interval '1 minute' end, case when is_paid then 'p' || id end,
     case when is_paid then '7' || reference end, 'token-' || id, coalesce(account_id, 'none'), '', '', '',
     '{"name":"Asha Rao","email":"asha@example.com"}'
   from n left join ${anAccount} a using (merchant_id)`,
  alert(
    'p',
    `${credit}, order_id, table_row`,
    `'hdfc', '4321', 'paid', 10001 + n % 1000, '7' || reference, 'payer ' || id, false, 'o' || id, 3`,
    'n where is_paid',
  ),
  alert('t', credit, credited('8', true), 'n where n % 5 = 0'),
  alert('h', credit, credited('5', true), 'n where n % 5 = 0'),
  alert(
    'c',
    `${credit}, near_misses`,
    `${credited('9', false)}, jsonb_build_array(jsonb_build_object('order_id', 'o' || id, 'payable_paise', 10001 + n % 1000))`,
    'n where n % 5 = 0',
  ),
  alert(
    'r',
    'bank, verdict, reason_code, facts',
    `'hdfc', (array['unreadable', 'forged', 'wrong_recipient', 'wrong_account'])[1 + n / 5 % 4],
     (array['changed_on_way', 'not_signed', 'addressed_elsewhere', 'other_account'])[1 + n / 5 % 4],
     '{"change":{"code":"subject_changed","facts":{}}}'::jsonb`,
    'n where n % 5 = 0',
  ),
  `insert into raw_mails select merchant_id, alert_id, arrived_at, '\\x${deflateSync('Subject: x\r\n\r\n').toString('hex')}' from alerts where merchant_id in (select merchant_id from n) on conflict do nothing`,
  `insert into counted_signatures select signature_id, merchant_id, alert_id, true, arrived_at from alerts
   where amount_paise is not null on conflict do nothing`,
  `insert into counted_references select merchant_id, bank_reference, alert_id, arrived_at from alerts where bank_reference is not null on conflict do nothing`,
  `insert into takings select merchant_id, 't' || id, coalesce(account_id, 'none'), 10000 + n % 1000, at
   from n left join ${anAccount} a using (merchant_id) where n % 5 = 0`,
  `insert into handled_credits (merchant_id, alert_id, state, done_by, done_at)
   select merchant_id, 'h' || id, case when n % 2 = 0 then 'kept' else 'given_back' end, 'owner', at from n where n % 5 = 0`,
  `insert into claimed_references select merchant_id, 'o' || id, '9' || reference, at from n where n % 5 = 0`,
  `insert into statement_marks (merchant_id, order_id, alert_id, bank, day, state, marked_by, marked_at)
   select merchant_id, order_id, alert_id, 'hdfc', paid_at::date, 'missing', 'owner', paid_at from orders where status = 'paid'
     and order_id ~ '0_' on conflict do nothing`,
  `insert into payment_links (merchant_id, link_id, token, title, amount_paise, stock, made_by, created_at, withdrawn_at)
   select merchant_id, 'lnk_' || id, 'link-' || id, 'Thali', 12000, 5, 'owner', at, case when n > 150 then at end from n`,
  `insert into order_purposes (merchant_id, order_id, purpose, link_id, created_at)
   select merchant_id, 'o' || id, 'Lunch ' || id, 'lnk_' || n % 150 || '_' || merchant_id, at from n`,
  `insert into refunds select merchant_id, order_id, 'rf_' || order_id, account_id, 100, 'owner', paid_at from orders
   where status = 'paid' and order_id ~ '0_' on conflict do nothing`,
  `insert into oversold_links select merchant_id, 'o' || id, 'o' || n + 1 || '_' || merchant_id, 'Thali', 5, at from n where n % 10 between 1 and 5`,
  `insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
   select merchant_id, 'evt_' || id, case when is_paid then 'payment.paid' else 'payment.failed' end, 'o' || id,
     'https://shop.example/hook', at from n`,
  `insert into event_bodies (merchant_id, event_id, body, created_at) select merchant_id, event_id, '{}', created_at from events
   on conflict do nothing`,
  `insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, asked_by)
   select merchant_id, n + 10, 'evt_' || id, 1, case when is_paid then 'delivered' else 'failed' end, at, at, 'schedule' from n`,
  `insert into delivery_queue (merchant_id, event_id, destination, attempt, step, due_at)
   select merchant_id, 'evt_' || id, 'shop.example', 2, 1, at + interval '90 days' from n where n % 10 = 7`,
  `insert into given_up_events select merchant_id, 'evt_' || id, at from n where n % 10 > 7`,
  `insert into notices (merchant_id, kind, facts, dedupe_key, created_at)
   select merchant_id, 'mailbox_seeing', '{"address":"a@b.example"}', 'key ' || id, at from n`,
  `insert into audit_log select merchant_id, n + 10, at, 'owner', 'sign_in', 'person ' || id, '', '', '', '' from n`,
  `insert into sales (merchant_id, order_id, buyer_id, buyer, plan, title, price_paise, days, carried_days, after_changes, made_by,
     created_at, receipt_number, received_paise, paid_at, applied_at)
   select n.merchant_id, 'o' || id, n, s.buyer, s.plan, s.title, s.price_paise, s.days, s.carried_days, s.after_changes,
     s.made_by, at, n + 10, 10001, at, at
   from n cross join (select * from sales where order_id like 'ML-%' limit 1) s`,
];

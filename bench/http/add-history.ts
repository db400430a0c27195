import { later, minute, systemClock } from '../../src/base/clock.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import type { Merchant } from './add-merchants.ts';

/** So many of each rare state, whatever the size of the history. */
const rare = 200;

/**
 * A history of orders, one a minute: the newest are open, the oldest are `manual_review` and `failed`, and between
 * them every second order is paid, the others expired. The rare ones stand at the ends, where a query that walks
 * through everything else to find them would show it.
 */
export async function addHistory(sql: Sql, merchant: Merchant, count: number): Promise<void> {
  const now = systemClock.now();
  await sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, paid_at, alert_id, bank_reference, received_paise, pay_token, account_id, success_url, failure_url, webhook_url, customer)
    select ${merchant.merchantId}::bigint, 'ML-' || lpad(place::text, 10, '0'), 'cart-' || place,
      49900 + 300 * (place % 1000), 49937 + 300 * (place % 1000), state, created,
      case when place <= ${rare}::int then ${later(now, 30 * minute)}::timestamptz else created + interval '5 minutes' end,
      case when state = 'paid' then created + interval '1 minute' end,
      case when state = 'paid' then 'alert-' || place end, case when state = 'paid' then '4' || lpad(place::text, 11, '0') end,
      case state when 'paid' then 49937 + 300 * (place % 1000) when 'pending' then null else 49900 end,
      ${merchant.merchantId}::text || '-' || place, ${merchant.accountId}::text,
      'https://shop.example.com/thanks?cart=' || place, 'https://shop.example.com/sorry?cart=' || place,
      'https://shop.example.com/hooks/upi', '{"name":"Asha Rao","email":"asha@example.com"}'::jsonb
    from generate_series(1, ${count}::int) as place
      cross join lateral (select
        case when place <= ${rare}::int then ${now}::timestamptz - place * interval '1 second'
          else ${now}::timestamptz - place * interval '1 minute' end as created,
        case when place <= ${rare}::int then 'pending' when place > ${count}::int - ${rare}::int then 'failed'
          when place > ${count}::int - 2 * ${rare}::int then 'manual_review'
          when place % 2 = 0 then 'paid' else 'pending' end as state) as made`;
}

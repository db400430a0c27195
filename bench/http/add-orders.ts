import { day, later, systemClock } from '../../src/base/clock.ts';
import type { Sql } from '../../src/base/database/connect.ts';
import { newPayToken } from '../../src/orders/order.ts';
import type { Merchant } from './add-merchants.ts';

export type OpenOrder = { orderId: string; token: string };

/** Open orders of one business, written straight into the database; they stay open however long the benchmark takes. */
export async function addOpenOrders(sql: Sql, merchant: Merchant, count: number): Promise<OpenOrder[]> {
  const now = systemClock.now();
  const orders = Array.from({ length: count }, (_, index) => ({
    orderId: `ML-${String(index).padStart(10, '0')}`,
    token: newPayToken(merchant.merchantId),
  }));
  await sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url, customer)
    select ${merchant.merchantId}::bigint, fresh.order_id, 'cart-' || place, 49900 + 300 * place, 49937 + 300 * place,
      'pending', ${now}::timestamptz, ${later(now, 1 * day)}::timestamptz, fresh.token, ${merchant.accountId}::text,
      'https://shop.example.com/thanks?cart=' || place, 'https://shop.example.com/sorry?cart=' || place,
      'https://shop.example.com/hooks/upi', '{"name":"Asha Rao","email":"asha@example.com"}'::jsonb
    from unnest(${orders.map(({ orderId }) => orderId)}::text[], ${orders.map(({ token }) => token)}::text[])
      with ordinality as fresh (order_id, token, place)`;
  await sql.unsafe('vacuum analyze');
  return orders;
}

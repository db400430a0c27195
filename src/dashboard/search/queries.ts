import type { Queryable } from '../../base/database/connect.ts';
import { paiseFromText } from '../../base/money.ts';
import type { OrderStatus } from '../../orders/order.ts';
import { insideHistory, statusAt } from '../../orders/sql-fragments.ts';
import { genuineCredits } from '../../payments/matching/queries/credits.ts';
import { countedReference } from '../../payments/matching/sql-fragments.ts';

/** An order, or money without one. */
export type Found = {
  order_id: string | null;
  alert_id: string | null;
  customer: string | null;
  payer: string | null;
  purpose: string | null;
  paise: number;
  at: Date;
  status: OrderStatus | null;
};

/** Words are looked for in so many of the newest. An older payment is found by its whole id or bank reference. */
const mostLooked = 2_000;
const mostFound = 8;

/**
 * The newest payments with this text, in one query. Each table is read by an index and up to a limit first: without
 * statistics the planner would read all orders.
 */
export async function selectFound(sql: Queryable, merchantId: number, text: string, now: Date) {
  const sum = paiseFromText(text);
  const [from, to] = sum === null ? [0, -1] : [sum, /\.\d/.test(text) ? sum : sum + 99];
  return await sql<Found[]>`
    with named as materialized (
      select order_id from orders where merchant_id = ${merchantId} and order_id in (${text}, ${text.toUpperCase()})
      union select order_id from orders
        where merchant_id = ${merchantId} and merchant_order_id = ${text} and not id_released
      union select order_id from orders where merchant_id = ${merchantId} and alert_id = (select r.alert_id
        from counted_references r where r.merchant_id = ${merchantId} and r.bank_reference = ${countedReference(sql, text)})
    ), newest as materialized (
      select order_id from (
        select * from orders where merchant_id = ${merchantId}
        order by created_at desc, order_id desc limit ${mostLooked}) o
      where o.payable_paise between ${from} and ${to} or o.received_paise between ${from} and ${to}
        or strpos(lower(concat_ws(chr(10), o.order_id, o.merchant_order_id, o.bank_reference, o.customer ->> 'name',
          o.customer ->> 'email',
          (select e.payer from alerts e where e.merchant_id = o.merchant_id and e.alert_id = o.alert_id),
          (select u.purpose from order_purposes u where u.merchant_id = o.merchant_id and u.order_id = o.order_id)
        )), lower(${text})) > 0
      order by created_at desc, order_id desc limit ${mostFound}
    ), found as materialized (select order_id from named union select order_id from newest)
    select o.order_id, null as alert_id, o.customer ->> 'name' as customer,
      (select e.payer from alerts e where e.merchant_id = o.merchant_id and e.alert_id = o.alert_id) as payer,
      (select u.purpose from order_purposes u where u.merchant_id = o.merchant_id and u.order_id = o.order_id) as purpose,
      coalesce(o.received_paise, o.payable_paise) as paise, coalesce(o.paid_at, o.created_at) as at, ${statusAt(sql, now)} as status
    from found f cross join lateral (
      select o.* from orders o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
      where o.merchant_id = ${merchantId} and o.order_id = f.order_id and ${insideHistory(sql, now)} offset 0) o
    union all
    (select null, e.alert_id, null, e.payer, null, e.amount_paise, e.arrived_at, null from (
        select e.* from alerts e join merchants m on m.merchant_id = e.merchant_id join plans p on p.plan = m.plan
        where e.merchant_id = ${merchantId} and e.verdict in ${genuineCredits}
          and (p.history_days is null or e.arrived_at > ${now}::timestamptz - p.history_days * interval '1 day')
        order by e.arrived_at desc, e.alert_id desc limit ${mostLooked}) e
      where e.amount_paise between ${from} and ${to}
        or strpos(lower(concat_ws(chr(10), e.payer, e.bank_reference)), lower(${text})) > 0
      order by e.arrived_at desc limit ${mostFound})
    order by at desc limit ${mostFound}`;
}

import type { Queryable } from '../../database/connect.ts';

export type Breach = { merchant_id: number; id: string; what: string };

/** Enough to see what is wrong; a thousand more lines would not help. */
const most = 100;

export async function selectPaidWithoutEvent(sql: Queryable): Promise<Breach[]> {
  return await sql<Breach[]>`
    select o.merchant_id, o.order_id as id, 'paid, but without a payment.paid event' as what
    from orders o
    where o.status = 'paid' and not exists (select from events e
      where e.merchant_id = o.merchant_id and e.order_id = o.order_id and e.type = 'payment.paid')
    limit ${most}`;
}

export async function selectStrangeEvents(sql: Queryable): Promise<Breach[]> {
  return await sql<Breach[]>`
    select * from (
      select e.merchant_id, e.event_id as id, case
        when e.order_id is null then 'a payment.paid event without an order'
        when o.status is not null and o.status <> 'paid' then 'its order is not paid'
        when e.event_id <> 'evt_' || left(encode(sha256(convert_to(
          concat_ws(chr(10), e.merchant_id, e.order_id, e.type), 'UTF8')), 'hex'), 32) then 'its id is not the derived one'
        when e.body::jsonb ->> 'type' is distinct from e.type then 'its body names another type'
        when e.body::jsonb #>> '{data,order_id}' is distinct from e.order_id then 'its body names another order'
        when e.body::jsonb #>> '{data,status}' is distinct from 'paid' then 'its body tells of another status'
        when (e.body::jsonb #>> '{data,payable_amount}')::numeric * 100 is distinct from o.payable_paise
          and o.status is not null then 'its body tells of other money'
        -- Bodies of before had no such field.
        when (e.body::jsonb #>> '{data,received_amount}')::numeric * 100 <> o.received_paise
          then 'its body tells of another sum that came'
        end as what
      from events e left join orders o on o.merchant_id = e.merchant_id and o.order_id = e.order_id
      where e.type = 'payment.paid') found
    where what is not null limit ${most}`;
}

export async function selectLostEvents(sql: Queryable): Promise<Breach[]> {
  return await sql<Breach[]>`
    select * from (
      select e.merchant_id, e.event_id as id, case
        when e.state = 'open' and not d.is_active then 'open, but nothing waits to be sent'
        when e.state = 'failed' and d.is_active then 'failed, but a delivery is in the queue'
        when e.state = 'failed' and not d.has_failed then 'failed without a failed attempt'
        when e.state = 'delivered' and not d.was_delivered and e.webhook_url <> '' then 'delivered without a successful attempt'
        when d.had_other_id then 'an attempt was sent under another id'
        end as what
      from events e cross join lateral (
        select coalesce(bool_or(state in ('waiting', 'sending')), false) as is_active,
          coalesce(bool_or(state = 'failed'), false) as has_failed,
          coalesce(bool_or(state = 'delivered'), false) as was_delivered,
          coalesce(bool_or(request #>> '{headers,webhook-id}' <> e.event_id), false) as had_other_id
        from deliveries d where d.merchant_id = e.merchant_id and d.event_id = e.event_id) d) found
    where what is not null limit ${most}`;
}

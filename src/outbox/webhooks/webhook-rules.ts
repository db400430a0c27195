import { ruleCheck } from '../../base/database/rule-check.ts';

const most = 100;

/** Checks R8 in the whole database. A unique index already forbids a second payment event for one order. */
export const webhookRules = [
  ruleCheck(
    'R8',
    'every paid order has its payment.paid event',
    sql => sql`
      select 'business ' || o.merchant_id || ', ' || o.order_id || ': paid, but without a payment.paid event' as line
      from orders o
      where o.status = 'paid' and not exists (select from events e
        where e.merchant_id = o.merchant_id and e.order_id = o.order_id and e.type = 'payment.paid')
      limit ${most}`,
  ),
  ruleCheck(
    'R8',
    'every payment.paid event belongs to a paid order, carries the derived id and describes that order',
    sql => sql`
      select 'business ' || merchant_id || ', ' || id || ': ' || what as line from (
        select e.merchant_id, e.event_id as id, case
          when b.body is null and e.erasure_id is not null then null
          when b.body is null and e.created_at > coalesce(h.bodies_gone_to, '-infinity') then 'its body is not stored'
          when e.order_id is null then 'a payment.paid event without an order'
          when o.status is not null and o.status <> 'paid' then 'its order is not paid'
          when e.event_id <> 'evt_' || left(encode(sha256(convert_to(
            concat_ws(chr(10), e.merchant_id, e.order_id, e.type), 'UTF8')), 'hex'), 32) then 'its id is not the derived one'
          when b.body is null then null
          when b.body::jsonb ->> 'type' is distinct from e.type then 'its body names another type'
          when b.body::jsonb #>> '{data,order_id}' is distinct from e.order_id then 'its body names another order'
          when b.body::jsonb #>> '{data,status}' is distinct from 'paid' then 'its body has another status'
          when (b.body::jsonb #>> '{data,payable_amount}')::numeric * 100 is distinct from o.payable_paise
            and o.status is not null then 'its body has another payable_amount'
          -- Bodies of earlier releases have no such field.
          when (b.body::jsonb #>> '{data,received_amount}')::numeric * 100 <> o.received_paise
            then 'its body has another received_amount'
          end as what
        from events e
          left join event_bodies b
            on b.merchant_id = e.merchant_id and b.event_id = e.event_id and b.created_at = e.created_at
          left join history_progress h on h.merchant_id = e.merchant_id
          left join orders o on o.merchant_id = e.merchant_id and o.order_id = e.order_id
        where e.type = 'payment.paid') found
      where what is not null limit ${most}`,
  ),
  ruleCheck(
    'R8',
    'every event is delivered, finally failed, or has a delivery that waits or is being sent; all under its own id',
    sql => sql`
      select 'business ' || merchant_id || ', ' || id || ': ' || what as line from (
        select e.merchant_id, e.event_id as id, case
          when g.event_id is not null and q.event_id is not null then 'failed, but a delivery is in the queue'
          when g.event_id is not null and not d.has_failed then 'failed without a failed attempt'
          when g.event_id is null and q.event_id is null and not d.was_delivered and e.webhook_url <> ''
            then 'open, but nothing waits to be sent'
          when d.had_other_id then 'an attempt was sent under another id'
          end as what
        from events e
          left join delivery_queue q on q.merchant_id = e.merchant_id and q.event_id = e.event_id
          left join given_up_events g on g.merchant_id = e.merchant_id and g.event_id = e.event_id
          cross join lateral (
            select coalesce(bool_or(state = 'failed'), false) as has_failed,
              coalesce(bool_or(state = 'delivered'), false) as was_delivered,
              coalesce(bool_or(request #>> '{headers,webhook-id}' <> e.event_id), false) as had_other_id
            from delivery_log l where l.merchant_id = e.merchant_id and l.event_id = e.event_id) d) found
      where what is not null limit ${most}`,
  ),
];

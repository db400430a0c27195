-- The one place where an order becomes paid.
-- It marks the order, clears its amount, adds to the month, notifies devices, and writes the event and its first
-- delivery. The caller has checked that this money is the order's, and has locked alert and order. A payment without
-- an order that a month already counted is not counted again. True: it is a piece of a link with a stock, so the
-- caller must check whether one was left.
create or replace function pay_order(
  business bigint, paid_order text, by_alert text, amount bigint, reference text, moment timestamptz,
  event text, event_body text, destination text, roles text[], told_until timestamptz
) returns boolean language plpgsql as $$
declare
  paid record;
  done text;
begin
  select o.ctid as place, o.status, o.payable_paise, o.webhook_url, o.merchant_order_id like 'till-%' as is_till,
    o.pay_token, o.created_at, o.archived_at is not null as was_archived into paid
  from orders o where o.merchant_id = business and o.order_id = paid_order and o.status in ('pending', 'manual_review')
  for update;
  if not found then raise exception 'order % does not wait for money', paid_order; end if;
  -- The row cannot move while it is locked. Its place makes every plan use it.
  update orders o set status = 'paid', paid_at = moment, alert_id = by_alert, bank_reference = reference,
    received_paise = amount, archived_at = null
  where o.ctid = paid.place;
  done := pg_notify('milaan_orders', paid.pay_token);
  if paid.was_archived then done := archive_anew(business, paid.created_at); end if;
  -- A customer who paid does not pay again. So the amount is clear after its hold, unless earlier holders left doubt.
  update amounts a set clear_at = greatest(a.doubted_until, a.held_until)
  where a.merchant_id = business and a.payable_paise = paid.payable_paise and a.order_id = paid_order;
  if paid.status = 'manual_review' then done := release_credit(business, paid_order, moment); end if;
  if not exists (select from takings t where t.merchant_id = business and t.alert_id = by_alert) then
    insert into collections as c (merchant_id, month, collected_paise)
    values (business, date_trunc('month', moment at time zone 'Asia/Kolkata')::date, amount)
    on conflict (merchant_id, month) do update set collected_paise = c.collected_paise + excluded.collected_paise;
  end if;
  done := queue_pushes(business, 'payment', null, paid_order, amount, moment, told_until, roles);
  done := record_event(business, event, 'payment.paid', paid_order, paid.webhook_url, event_body, destination, moment, 0,
    'schedule');
  if not paid.is_till then return false; end if;
  done := count_piece(business, paid_order);
  return exists (
    select from order_purposes u join payment_links l on l.merchant_id = u.merchant_id and l.link_id = u.link_id
    where u.merchant_id = business and u.order_id = paid_order and l.stock is not null);
end $$;

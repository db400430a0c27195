-- Money that comes without an order, to an account whose owner wants it so, is a taking: row 8 of the table.
-- The release before may run beside it.

-- As it was counted to its month, once. What has become of it since is in `handled_credits`, as of any other credit.
create table takings (
  merchant_id  bigint not null references merchants,
  alert_id     text not null,
  account_id   text not null,
  amount_paise bigint not null check (amount_paise > 0),
  counted_at   timestamptz(3) not null,
  primary key (merchant_id, alert_id)
);
create index takings_counted on takings (merchant_id, counted_at);

-- As in migration 100; a taking that its order lets go of is a taking again, and nothing to do.
create or replace function release_credit(business bigint, of_order text, moment timestamptz) returns void language plpgsql as $$
declare
  opened text;
  done text;
begin
  update handled_credits h set state = 'open', done_by = 'milaan', done_at = moment, note = ''
  where h.merchant_id = business and h.order_id = of_order and h.state = 'attached'
  returning h.alert_id into opened;
  if not found then return; end if;
  done := unsettle_credit(business, opened);
  update alerts a set is_ended = true
  where a.merchant_id = business and a.alert_id = opened and a.reason_code is distinct from 'claimed_by_several'
    and exists (select from takings t where t.merchant_id = business and t.alert_id = opened);
end $$;

-- As in migration 100; what was counted to a month as a taking stays there, and is not counted again when it moves to an
-- order.
create or replace function pay_order(
  business bigint, paid_order text, by_alert text, amount bigint, reference text, moment timestamptz,
  event text, event_body text, destination text, roles text[], told_until timestamptz
) returns boolean language plpgsql as $$
declare
  paid record;
  done text;
begin
  select o.ctid as place, o.status, o.payable_paise, o.webhook_url, o.merchant_order_id like 'till-%' as is_till into paid
  from orders o where o.merchant_id = business and o.order_id = paid_order and o.status in ('pending', 'manual_review')
  for update;
  if not found then raise exception 'order % does not wait for money', paid_order; end if;
  -- Where it lies, which cannot change behind its lock: so no plan can go another way.
  update orders o set status = 'paid', paid_at = moment, alert_id = by_alert, bank_reference = reference,
    received_paise = amount, archived_at = null
  where o.ctid = paid.place;
  -- Nobody who paid pays again: its amount is clear when its hold is over, as far as earlier holders left it so.
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
  return exists (
    select from order_purposes u join payment_links l on l.merchant_id = u.merchant_id and l.link_id = u.link_id
    where u.merchant_id = business and u.order_id = paid_order and l.stock is not null);
end $$;

-- Last, because it stops others until the end.
alter table upi_accounts add column counts_takings boolean not null default false;

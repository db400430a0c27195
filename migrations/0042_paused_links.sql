-- Payment links: a pause, and what each link earned.
-- The release before may run beside it.

-- A paused link takes no payment. A process of the previous release still takes them until it is replaced.
alter table payment_links add column paused_at timestamptz(3);

-- What all orders of a link received. Counted here with the paid pieces: its orders are deleted one day.
alter table payment_links add column earned_paise bigint not null default 0;

-- From now on each paid order of a link counts with its sum, also before the functions are written. 0045 counts the
-- earlier ones. `count_piece` finds the order counted.
create or replace function count_paid_piece() returns trigger language plpgsql as $$
declare
  sold text;
begin
  update order_purposes u set counted = true
  where u.merchant_id = new.merchant_id and u.order_id = new.order_id and not u.counted and u.link_id is not null
  returning u.link_id into sold;
  if not found then return null; end if;
  update payment_links l set paid_pieces = l.paid_pieces + 1,
    earned_paise = l.earned_paise + coalesce(new.received_paise, new.payable_paise)
  where l.merchant_id = new.merchant_id and l.link_id = sold;
  return null;
end $$;

-- A link counts its paid pieces: its orders are deleted one day, and a piece that was sold stays sold.
-- The release before may run beside it.

-- Whoever marks an order paid counts it, the release before too. Made first: nothing is paid until the counting is over.
create function count_paid_piece() returns trigger language plpgsql as $$
begin
  update payment_links l set paid_pieces = l.paid_pieces + 1
  from order_purposes u
  where u.merchant_id = new.merchant_id and u.order_id = new.order_id
    and l.merchant_id = u.merchant_id and l.link_id = u.link_id and l.stock is not null;
  return null;
end $$;
create trigger count_paid_piece after update of status on orders
  for each row when (new.status = 'paid' and old.status <> 'paid' and new.merchant_order_id like 'till-%')
  execute function count_paid_piece();

alter table payment_links add column paid_pieces int not null default 0;
update payment_links l set paid_pieces = (
  select count(*) from order_purposes u join orders o on o.merchant_id = u.merchant_id and o.order_id = u.order_id
  where u.merchant_id = l.merchant_id and u.link_id = l.link_id and o.status = 'paid')
where l.stock is not null;

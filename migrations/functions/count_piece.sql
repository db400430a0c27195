-- Counts an order that was paid by a link, once, with the sum that it received.
create or replace function count_piece(business bigint, of_order text) returns void language plpgsql as $$
declare
  sold text;
begin
  update order_purposes u set counted = true
  where u.merchant_id = business and u.order_id = of_order and not u.counted and u.link_id is not null
  returning u.link_id into sold;
  if not found then return; end if;
  update payment_links l set paid_pieces = l.paid_pieces + 1, earned_paise = l.earned_paise + (
    select coalesce(o.received_paise, o.payable_paise) from orders o where o.merchant_id = business and o.order_id = of_order)
  where l.merchant_id = business and l.link_id = sold;
end $$;

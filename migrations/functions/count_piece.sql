-- Counts a paid piece of a link with a limited stock, once per order.
create or replace function count_piece(business bigint, of_order text) returns void language plpgsql as $$
declare
  sold text;
begin
  update order_purposes u set counted = true from payment_links l
  where u.merchant_id = business and u.order_id = of_order and not u.counted
    and l.merchant_id = business and l.link_id = u.link_id and l.stock is not null
  returning l.link_id into sold;
  if not found then return; end if;
  update payment_links l set paid_pieces = l.paid_pieces + 1 where l.merchant_id = business and l.link_id = sold;
end $$;

-- What each link earned before 0042, counted apart from it: counting takes long, and 0042 locks all links.
-- The release before may run beside it.

-- Link by link, each under its row's lock, which lasts until the end. A payment that counts at the same time has
-- committed and is in the sum, or it waits and adds to the sum.
do $$
declare
  link record;
begin
  for link in select distinct u.merchant_id, u.link_id from order_purposes u where u.link_id is not null loop
    perform from payment_links l where l.merchant_id = link.merchant_id and l.link_id = link.link_id for update;
    update payment_links l set earned_paise = paid.earned, paid_pieces = greatest(l.paid_pieces, paid.orders)
    from (
      select coalesce(sum(coalesce(o.received_paise, o.payable_paise)), 0) as earned, count(*)::int as orders
      from order_purposes u join orders o on o.merchant_id = u.merchant_id and o.order_id = u.order_id
      where u.merchant_id = link.merchant_id and u.link_id = link.link_id and o.status = 'paid'
    ) paid
    where l.merchant_id = link.merchant_id and l.link_id = link.link_id;
  end loop;
end $$;

-- What each link earned before 0042, counted apart from it: counting takes long, and 0042 locks all links.
-- The release before may run beside it.

-- One statement counts without a lock on links, because payments would wait for it. What it finds missing stays right:
-- since 0042 a payment adds its sum in its own transaction, so it is in both sums of this snapshot or in none.
-- A cell on Citus has no triggers: stop its payments to links while it is upgraded.
create temporary table missing_of_links on commit drop as
  select l.merchant_id, l.link_id, sum(coalesce(o.received_paise, o.payable_paise)) - l.earned_paise as paise,
    greatest(count(*) - l.paid_pieces, 0) as pieces
  from payment_links l
    join order_purposes u on u.merchant_id = l.merchant_id and u.link_id = l.link_id
    join orders o on o.merchant_id = u.merchant_id and o.order_id = u.order_id
  where o.status = 'paid'
  group by l.merchant_id, l.link_id;

update payment_links l set earned_paise = l.earned_paise + m.paise, paid_pieces = l.paid_pieces + m.pieces
from missing_of_links m where l.merchant_id = m.merchant_id and l.link_id = m.link_id;

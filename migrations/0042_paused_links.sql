-- Payment links: a pause, and what each link earned. Alone, because counting takes long on a large installation.
-- The release before may run beside it.

-- A paused link takes no payment. A process of the previous release still takes them until it is replaced.
alter table payment_links add column paused_at timestamptz(3);

-- What all orders of a link received. Counted here with the paid pieces: its orders are deleted one day.
alter table payment_links add column earned_paise bigint not null default 0;
update payment_links l set earned_paise = paid.earned, paid_pieces = greatest(l.paid_pieces, paid.orders)
from (
  select u.merchant_id, u.link_id, sum(coalesce(o.received_paise, o.payable_paise)) as earned, count(*)::int as orders
  from order_purposes u join orders o on o.merchant_id = u.merchant_id and o.order_id = u.order_id
  where u.link_id is not null and o.status = 'paid'
  group by u.merchant_id, u.link_id
) paid
where l.merchant_id = paid.merchant_id and l.link_id = paid.link_id;

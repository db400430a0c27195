-- An order may have several events beyond its one payment.paid: each credit that waits beside it is one.
drop index events_order;
-- R8: exactly one payment.paid event for a paid order.
create unique index events_order on events (merchant_id, order_id) where order_id is not null and type = 'payment.paid';
create index events_of_other_types on events (merchant_id, order_id) where order_id is not null and type <> 'payment.paid';

-- An order may have several events, and what is added up is what was received.

-- Each credit that waits beside an order is an event of its own, for businesses that ask for them.
-- R8 stays: exactly one payment.paid event for a paid order.
drop index events_order;
create unique index events_order on events (merchant_id, order_id, (case when type = 'payment.paid' then '' else event_id end))
  where order_id is not null;

-- What the months and days of the dashboard add up is what was received.
drop index orders_paid;
create index orders_paid on orders (merchant_id, paid_at) include (received_paise) where paid_at is not null;

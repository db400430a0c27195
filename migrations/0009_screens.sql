-- What the screens read often: money that paid no order, and paid orders by the day of their payment.

create index alerts_unpaid on alerts (merchant_id, arrived_at desc, alert_id desc) where verdict <> 'paid';
create index orders_paid on orders (merchant_id, paid_at) include (payable_paise) where paid_at is not null;

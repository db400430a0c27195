-- What the Money screen and an order's page ask for, however many mails were refused and however much was handled.

create index alerts_credits on alerts (merchant_id, arrived_at desc, alert_id desc)
  where verdict in ('no_order', 'too_late', 'extra_payment');
create index handled_credits_of_order on handled_credits (merchant_id, order_id) where order_id is not null;

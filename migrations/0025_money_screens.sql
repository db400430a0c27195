-- What the Money screen and an order's page ask for, however many mails were refused and however much was handled.

-- Given back or kept, as `handled_credits` says it: here so that an index knows what is left to do.
alter table alerts add column is_ended boolean not null default false;
update alerts a set is_ended = true from handled_credits h
  where h.merchant_id = a.merchant_id and h.alert_id = a.alert_id and h.state in ('given_back', 'kept');
create index alerts_credits on alerts (merchant_id, arrived_at desc, alert_id desc) include (amount_paise)
  where verdict in ('no_order', 'too_late', 'extra_payment') and not is_ended;

create index handled_credits_of_order on handled_credits (merchant_id, order_id) where order_id is not null;

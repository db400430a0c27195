-- Events, and the delivery table that is queue and log at once.

create table events (
  merchant_id bigint not null references merchants,
  -- Derived from the order, so that a restored backup repeats the same id.
  event_id    text not null,
  type        text not null,
  order_id    text,
  webhook_url text not null,
  -- The exact bytes that every attempt sends.
  body        text not null,
  created_at  timestamptz(3) not null,
  primary key (merchant_id, event_id)
);
-- R8: exactly one payment.paid event for a paid order.
create unique index events_order on events (merchant_id, order_id, type) where order_id is not null;
create index events_newest on events (merchant_id, created_at desc, event_id desc);

create table deliveries (
  merchant_id   bigint not null,
  delivery_id   bigint generated always as identity,
  event_id      text not null,
  attempt       int not null,
  -- The host that is called: at most a few attempts at once go to one destination.
  destination   text not null,
  -- waiting → sending → delivered | failed. A lease that runs out is taken again.
  state         text not null check (state in ('waiting', 'sending', 'delivered', 'failed')),
  due_at        timestamptz(3) not null,
  leased_until  timestamptz(3),
  started_at    timestamptz(3),
  duration_ms   int,
  status_code   int,
  -- Why it failed, in words, and the first bytes of the answer as text.
  failure       text,
  response      text,
  request       jsonb,
  asked_by      text not null default 'schedule' check (asked_by in ('schedule', 'merchant')),
  primary key (merchant_id, delivery_id),
  foreign key (merchant_id, event_id) references events (merchant_id, event_id)
);
create index deliveries_due on deliveries (due_at) where state in ('waiting', 'sending');
create index deliveries_event on deliveries (merchant_id, event_id, delivery_id);

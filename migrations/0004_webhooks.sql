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
  -- open: a delivery waits or is being sent. delivered stays, also when a later resend fails.
  state       text not null default 'open' check (state in ('open', 'delivered', 'failed')),
  created_at  timestamptz(3) not null,
  primary key (merchant_id, event_id)
);
-- R8: exactly one payment.paid event for a paid order.
create unique index events_order on events (merchant_id, order_id, type) where order_id is not null;
create index events_newest on events (merchant_id, created_at desc, event_id desc);
create index events_failed on events (merchant_id, created_at) where state = 'failed';

-- One row an attempt; the next one is written with the failure of the one before.
create table deliveries (
  merchant_id   bigint not null,
  delivery_id   bigint generated always as identity,
  event_id      text not null,
  -- Counts the attempts of an event; `step` is the place in the schedule, which a resend starts anew.
  attempt       int not null,
  step          int not null,
  -- The host that is called: at most a few attempts at once go to one destination of a business.
  destination   text not null,
  -- waiting → sending → delivered | failed. A lease that runs out fails, and the attempt is repeated in a new row.
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
  foreign key (merchant_id, event_id) references events (merchant_id, event_id),
  check ((state = 'sending') = (leased_until is not null))
);
create unique index deliveries_event on deliveries (merchant_id, event_id, attempt);
-- An event is in the queue once, whoever asks for it again.
create unique index deliveries_active on deliveries (merchant_id, event_id) where state in ('waiting', 'sending');
create index deliveries_due on deliveries (due_at) include (merchant_id, destination) where state = 'waiting';
-- First attempts of real events, found newest first whatever else is waiting.
create index deliveries_live on deliveries (due_at) include (merchant_id, destination)
  where state = 'waiting' and attempt = 1 and asked_by = 'schedule';
create index deliveries_sending on deliveries (leased_until) include (merchant_id, destination) where state = 'sending';

-- Destinations that failed since their last success; the first success deletes the row.
create table failing_destinations (
  merchant_id   bigint not null references merchants,
  destination   text not null,
  failing_since timestamptz(3) not null,
  failures      int not null,
  last_failure  text not null,
  -- When the owner was told, so that the end is told too.
  told_at       timestamptz(3),
  primary key (merchant_id, destination)
);

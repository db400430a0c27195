-- Webhooks: a narrow queue, a log that is only added to, and bodies and log by the week, which leave by age alone.
-- The release before may not run beside it.

alter table deliveries rename to old_deliveries;
alter table old_deliveries drop constraint deliveries_merchant_id_event_id_fkey;

-- An order may have several events: each credit that waits beside it is one, for businesses that ask for them.
-- R8 stays: exactly one payment.paid event for a paid order.
drop index events_order;
create unique index events_order on events (merchant_id, order_id, (case when type = 'payment.paid' then '' else event_id end))
  where order_id is not null;

-- The exact bytes of an event, apart from what it is.
create table event_bodies (
  merchant_id bigint not null,
  event_id    text not null,
  -- That of the event: it says in which partition the body is.
  created_at  timestamptz(3) not null,
  body        text not null,
  primary key (merchant_id, event_id, created_at)
) partition by range (created_at);
create table event_bodies_default partition of event_bodies default;

-- One row an attempt, written once when it is over.
create table delivery_log (
  merchant_id bigint not null,
  delivery_id bigint not null,
  event_id    text not null,
  -- Counts the attempts of an event.
  attempt     int not null,
  state       text not null,
  due_at      timestamptz(3) not null,
  started_at  timestamptz(3) not null,
  duration_ms int,
  status_code int,
  failure     jsonb,
  response    text,
  request     jsonb,
  asked_by    text not null,
  primary key (merchant_id, delivery_id, started_at)
) partition by range (started_at);
create table delivery_log_default partition of delivery_log default;
create index delivery_log_event on delivery_log (merchant_id, event_id);

-- Events that are to be sent. An event is in the queue once, whoever asks for it again.
create sequence delivery_ids;
create table delivery_queue (
  merchant_id bigint not null,
  event_id    text not null,
  -- Of the attempt that comes next; it keeps the number in the log.
  delivery_id bigint not null default nextval('delivery_ids'),
  attempt     int not null,
  -- The place in the schedule, which a resend starts anew.
  step        int not null,
  -- The host that is called: at most a few attempts at once go to one destination of a business.
  destination text not null,
  due_at      timestamptz(3) not null,
  asked_by    text not null default 'schedule',
  primary key (merchant_id, event_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
create index delivery_queue_due on delivery_queue (due_at) include (merchant_id, destination, event_id);
-- First attempts of real events, found newest first whatever else is waiting.
create index delivery_queue_live on delivery_queue (due_at) include (merchant_id, destination, event_id)
  where attempt = 1 and asked_by = 'schedule';

-- Who sends what now. Unlogged: a claim need not survive a crash of the database, for then it is sent again. It lives for
-- milliseconds: cleaned often, the table stays as small as what is in it.
create unlogged table deliveries_in_hand (
  merchant_id  bigint not null,
  event_id     text not null,
  delivery_id  bigint not null,
  destination  text not null,
  started_at   timestamptz(3) not null,
  leased_until timestamptz(3) not null,
  primary key (merchant_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Events that no further attempt follows and that never arrived; a resend takes them out.
create table given_up_events (
  merchant_id bigint not null,
  event_id    text not null,
  created_at  timestamptz(3) not null,
  primary key (merchant_id, event_id)
);
create index given_up_events_oldest on given_up_events (merchant_id, created_at);

-- The weeks of two years that have something in them, and those that come next; orders/history/keep-partitions.ts adds
-- the others. One row of a clock that was lost may not make thousands: what is older lies in the default partition.
do $$
declare
  week timestamptz;
begin
  for week in select generate_series(
    date_trunc('week', greatest(now() - interval '2 years', least(now(), (select min(created_at) from events), (select min(due_at) from old_deliveries))) at time zone 'UTC') at time zone 'UTC',
    now() + interval '3 weeks', interval '7 days')
  loop
    execute format('create table event_bodies_%s partition of event_bodies for values from (%L) to (%L)',
      to_char(week at time zone 'UTC', 'YYYYMMDD'), week, week + interval '7 days');
    execute format('create table delivery_log_%s partition of delivery_log for values from (%L) to (%L)',
      to_char(week at time zone 'UTC', 'YYYYMMDD'), week, week + interval '7 days');
  end loop;
end $$;

insert into event_bodies select merchant_id, event_id, created_at, body from events;
insert into delivery_log
  select merchant_id, delivery_id, event_id, attempt, state, due_at, coalesce(started_at, due_at), duration_ms,
    status_code, failure, response, request, asked_by
  from old_deliveries where state in ('delivered', 'failed');
-- What was being sent is sent again.
insert into delivery_queue
  select merchant_id, event_id, delivery_id, attempt, step, destination, due_at, asked_by
  from old_deliveries where state in ('waiting', 'sending');
select setval('delivery_ids', coalesce((select max(delivery_id) from old_deliveries), 0) + 1);
insert into given_up_events select merchant_id, event_id, created_at from events where state = 'failed';
drop table old_deliveries;
alter table events drop column state, drop column body;

-- What the merchant sees: every attempt, over or still to come.
create view deliveries as
  select merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, duration_ms, status_code, failure,
    response, request, asked_by
  from delivery_log
  union all
  select q.merchant_id, q.delivery_id, q.event_id, q.attempt, case when h.event_id is null then 'waiting' else 'sending' end,
    q.due_at, h.started_at, null, null, null, null, null, q.asked_by
  from delivery_queue q left join deliveries_in_hand h on h.merchant_id = q.merchant_id and h.event_id = q.event_id;

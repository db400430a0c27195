-- What looks into the queue of webhooks is planned for a queue of about the size that it has; nothing is forbidden to the planner.
-- The release before may run beside it.
-- A plan that is made while the queue is empty and kept reads through the table for each row of a burst. Forbidding
-- that (migrations 44, 47 and 50) made some plans seem so dear that PostgreSQL 15 compiled them, for half a second each,
-- where a table had one row. Now there are two plans of everything: one is made and used while the queue is so small
-- that any will do, the other while it is not, when keys are cheapest. PostgreSQL keeps plans for each type that a
-- function of any type is called with, so `size` is a smallint or a bigint, and its value is nothing. A row is looked up
-- by its key in a query of its own (`offset 0`), so that no join turns the two round, and taken from where it lies.

-- A page or eight are read as fast as a key is looked up.
create function is_queue_long() returns boolean language sql as $$
  select pg_relation_size('delivery_queue') > 8 * 8192
$$;

-- Takes due deliveries under a lease. Its caller holds the lock by which senders take turns.
--
-- Two ways in: live first attempts, newest first, which no backlog can stand before; and everything that is due, oldest
-- first. What is in hand, and destinations and businesses that have their full share of it, is left out by hashed
-- filters on the index, so ten thousand rows behind one slow shop are passed over. Without places for the backlog only
-- the live ones are looked for, which is always cheap.
create function claim_deliveries_for(
  size anyelement, moment timestamptz, lease_end timestamptz, live_since timestamptz, places int, backlog_places int,
  per_destination int, per_merchant int, look_ahead int
) returns table (
  merchant_id bigint, delivery_id bigint, event_id text, attempt int, step int, destination text, type text,
  order_id text, webhook_url text, body text, webhook_secret text, old_webhook_secret text,
  secret_rotated_at timestamptz, is_live boolean
) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with busy as materialized (
    select h.merchant_id, h.destination, count(*) as sending from deliveries_in_hand h group by 1, 2
  ), busy_merchant as materialized (
    select b.merchant_id, sum(b.sending) as sending from busy b group by 1
  ), live as materialized (
    select q.merchant_id, q.event_id, q.destination, q.due_at from delivery_queue q
    where q.attempt = 1 and q.asked_by = 'schedule' and q.due_at <= moment and q.due_at > live_since
      and (q.merchant_id, q.event_id) not in (select h.merchant_id, h.event_id from deliveries_in_hand h)
      and (q.merchant_id, q.destination) not in (select b.merchant_id, b.destination from busy b where b.sending >= per_destination)
      and q.merchant_id not in (select b.merchant_id from busy_merchant b where b.sending >= per_merchant)
    order by q.due_at desc limit look_ahead
  ), rest as materialized (
    select q.merchant_id, q.event_id, q.destination, q.due_at from delivery_queue q
    where backlog_places > 0 and q.due_at <= moment
      and (q.merchant_id, q.event_id) not in (select h.merchant_id, h.event_id from deliveries_in_hand h)
      and (q.merchant_id, q.destination) not in (select b.merchant_id, b.destination from busy b where b.sending >= per_destination)
      and q.merchant_id not in (select b.merchant_id from busy_merchant b where b.sending >= per_merchant)
    order by q.due_at limit look_ahead
  ), candidate as (
    -- A first attempt to a destination that is known to fail has no claim on the places kept free.
    select l.*, true as is_live from live l
    where not exists (select from failing_destinations f
      where f.merchant_id = l.merchant_id and f.destination = l.destination)
    union all
    select r.*, false from rest r
  ), once as (
    select distinct on (c.merchant_id, c.event_id) c.* from candidate c
    order by c.merchant_id, c.event_id, c.is_live desc
  ), by_destination as (
    select o.*, coalesce(b.sending, 0)
      + row_number() over (partition by o.merchant_id, o.destination order by o.is_live desc, o.due_at) as place
    from once o left join busy b on b.merchant_id = o.merchant_id and b.destination = o.destination
  ), by_merchant as (
    select d.*, coalesce(b.sending, 0)
      + row_number() over (partition by d.merchant_id order by d.is_live desc, d.place, d.due_at) as share
    from by_destination d left join busy_merchant b on b.merchant_id = d.merchant_id
    where d.place <= per_destination
  ), in_turn as (
    -- Whoever has least in hand comes first, then the oldest.
    select m.*, row_number() over (partition by m.is_live order by m.share, m.due_at, m.event_id) as turn,
      count(*) filter (where m.is_live) over () as live_count
    from by_merchant m where m.share <= per_merchant
  ), chosen as materialized (
    select q.*, t.is_live
    from in_turn t cross join lateral (select * from delivery_queue q
      where q.merchant_id = t.merchant_id and q.event_id = t.event_id offset 0) q
    where t.turn <= case when t.is_live then places else least(backlog_places, places - least(t.live_count, places)) end
  ), taken as (
    insert into deliveries_in_hand (merchant_id, event_id, delivery_id, destination, started_at, leased_until)
    select c.merchant_id, c.event_id, c.delivery_id, c.destination, moment, lease_end from chosen c
  )
  select c.merchant_id, c.delivery_id, c.event_id, c.attempt, c.step, c.destination, e.type, e.order_id, e.webhook_url,
    -- The event's time leads to the one week that has its bytes.
    (select b.body from event_bodies b
      where b.merchant_id = e.merchant_id and b.event_id = e.event_id and b.created_at = e.created_at),
    m.webhook_secret, m.old_webhook_secret, m.secret_rotated_at, c.is_live
  from chosen c
    cross join lateral (select * from events e
      where e.merchant_id = c.merchant_id and e.event_id = c.event_id offset 0) e
    join merchants m on m.merchant_id = c.merchant_id;
end $$;

-- Senders in all processes take turns by a lock, so that counting what a destination has in hand is exact; every
-- statement below it looks anew.
create or replace function claim_deliveries(
  moment timestamptz, lease_end timestamptz, live_since timestamptz, places int, backlog_places int,
  per_destination int, per_merchant int, look_ahead int
) returns table (
  merchant_id bigint, delivery_id bigint, event_id text, attempt int, step int, destination text, type text,
  order_id text, webhook_url text, body text, webhook_secret text, old_webhook_secret text,
  secret_rotated_at timestamptz, is_live boolean
) language plpgsql as $$
declare
  locked text;
begin
  locked := pg_advisory_xact_lock(7264252);
  if is_queue_long() then
    return query select * from claim_deliveries_for(1::bigint, moment, lease_end, live_since, places, backlog_places,
      per_destination, per_merchant, look_ahead);
  else
    return query select * from claim_deliveries_for(1::smallint, moment, lease_end, live_since, places, backlog_places,
      per_destination, per_merchant, look_ahead);
  end if;
end $$;

-- Writes down successful attempts, many at once: out of hand, out of the queue, into the log. Answers which deliveries
-- were still ours, with the destination where it had failed so long that its owner was told. Rows of destinations are
-- shared between senders, so they are locked in one order.
create function finish_delivered_for(size anyelement, attempts json)
returns table (delivery_id bigint, merchant_id bigint, destination text, failing_since timestamptz)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with done as materialized (
    select * from json_to_recordset(attempts) as n (merchant_id bigint, event_id text, delivery_id bigint,
      started_at timestamptz, duration_ms int, status_code int, response text, request jsonb)
  ), mine as (
    delete from deliveries_in_hand h using done n
    where h.merchant_id = n.merchant_id and h.event_id = n.event_id and h.delivery_id = n.delivery_id
    returning h.merchant_id, h.event_id
  ), queued as materialized (
    select q.place from mine m cross join lateral (select q.ctid as place from delivery_queue q
      where q.merchant_id = m.merchant_id and q.event_id = m.event_id offset 0) q
  ), finished as (
    delete from delivery_queue q where q.ctid = any (array(select place from queued)) returning q.*
  ), logged as (
    insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, duration_ms,
      status_code, response, request, asked_by)
    select f.merchant_id, f.delivery_id, f.event_id, f.attempt, 'delivered', f.due_at, n.started_at, n.duration_ms,
      n.status_code, n.response, n.request, f.asked_by
    from finished f join done n on n.merchant_id = f.merchant_id and n.event_id = f.event_id
  ), failing as (
    select d.merchant_id, d.destination from failing_destinations d
    where (d.merchant_id, d.destination) in (select f.merchant_id, f.destination from finished f)
    order by d.merchant_id, d.destination for update
  ), cleared as (
    delete from failing_destinations d using failing g
    where d.merchant_id = g.merchant_id and d.destination = g.destination
    returning d.merchant_id, d.destination, d.failing_since, d.told_at
  )
  select f.delivery_id, c.merchant_id, c.destination, c.failing_since from finished f
  left join cleared c on c.merchant_id = f.merchant_id and c.destination = f.destination and c.told_at is not null;
end $$;

create or replace function finish_delivered(attempts json)
returns table (delivery_id bigint, merchant_id bigint, destination text, failing_since timestamptz)
language plpgsql as $$
begin
  if is_queue_long() then
    return query select * from finish_delivered_for(1::bigint, attempts);
  else
    return query select * from finish_delivered_for(1::smallint, attempts);
  end if;
end $$;

-- Writes a failed attempt into the log, once, and what follows from it into the queue: the next attempt, or without
-- `next_due` none. False when it is no longer ours: its lease lapsed, and another attempt is on its way.
create or replace function finish_failed(
  merchant bigint, event text, delivery bigint, started timestamptz, duration int, status int, failed_by jsonb,
  answer text, asked jsonb, next_step int, next_due timestamptz
) returns boolean language plpgsql as $$
declare
  queued delivery_queue;
begin
  delete from deliveries_in_hand h where h.merchant_id = merchant and h.event_id = event and h.delivery_id = delivery;
  if not found then return false; end if;
  execute 'select q.* from delivery_queue q where q.merchant_id = $1 and q.event_id = $2 for update'
    into queued using merchant, event;
  if queued.event_id is null then return false; end if;
  insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, duration_ms,
    status_code, failure, response, request, asked_by)
  values (merchant, queued.delivery_id, event, queued.attempt, 'failed', queued.due_at, started, duration,
    status, failed_by, answer, asked, queued.asked_by);
  if next_due is null then
    execute 'delete from delivery_queue q where q.merchant_id = $1 and q.event_id = $2' using merchant, event;
  else
    execute $statement$
      update delivery_queue q set attempt = q.attempt + 1, step = $3, due_at = $4,
        delivery_id = nextval('delivery_ids'), asked_by = 'schedule'
      where q.merchant_id = $1 and q.event_id = $2
    $statement$ using merchant, event, next_step, next_due;
  end if;
  return true;
end $$;

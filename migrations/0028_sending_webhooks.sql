-- Webhooks are recorded, claimed and finished by functions, planned for a queue of about the size that it has.
-- The release before may run beside it.
-- A plan that is made while the queue is empty and kept reads through the table for each row of a burst. Forbidding that
-- made some plans seem so dear that PostgreSQL 15 compiled them, for half a second each. So there are two plans of
-- everything: one is made and used while the queue is so small that any will do, the other while it is not, when keys are
-- cheapest. PostgreSQL keeps plans for each type that a function of any type is called with, so `size` is a smallint or a
-- bigint, and its value is nothing. A row is looked up by its key in a query of its own (`offset 0`), so that no join
-- turns the two round, and taken from where it lies.
--
-- On Citus the tables are on another server than the functions that ask them, and a statement that reads one is sent over
-- as a whole. So whatever asks a table, draws a number, takes a lock or notifies stands alone or in a function that is
-- called beside no table. That holds for every function of ours, here and in the files behind this one.

-- An event, its bytes and its first delivery; senders are woken by the commit. False: it exists already.
create function record_event(
  business bigint, event text, kind text, of_order text, url text, bytes text, destination text, moment timestamptz,
  step int, asked_by text
) returns boolean language plpgsql as $$
declare
  -- As the tables keep it: the body is looked for at the event's very moment.
  kept constant timestamptz(3) := moment;
  told text;
begin
  insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
  values (business, event, kind, of_order, url, kept) on conflict do nothing;
  if not found then return false; end if;
  insert into event_bodies (merchant_id, event_id, created_at, body) values (business, event, kept, bytes);
  -- An order without a shop has nobody to be told; what happened is recorded all the same.
  if url = '' then return true; end if;
  insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at, asked_by)
  values (business, event, 1, step, destination, kept, asked_by);
  told := pg_notify('milaan_deliveries', '');
  return true;
end $$;

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
create function claim_deliveries(
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

-- Whether something is due that nobody has in hand: asked right after a claim, which passes over whoever has their share.
create function is_delivery_left(due timestamptz) returns boolean language plpgsql as $$
begin
  return exists (select from delivery_queue q where q.due_at <= due and not exists (
    select from deliveries_in_hand h where h.merchant_id = q.merchant_id and h.event_id = q.event_id));
end $$;

-- Writes down successful attempts, many at once: out of hand, out of the queue, into the log. Answers which deliveries
-- were still ours, with the destination where it had failed so long that its owner was told.
create function finish_delivered_for(size anyelement, attempts json)
returns table (delivery_id bigint, merchant_id bigint, destination text, failing_since timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  ids bigint[];
  businesses bigint[];
  events text[];
  tries int[];
  dues timestamptz[];
  askers text[];
  places text[];
begin
  with done as materialized (
    select * from json_to_recordset(attempts) as n (merchant_id bigint, event_id text, delivery_id bigint)
  ), mine as (
    delete from deliveries_in_hand h using done n
    where h.merchant_id = n.merchant_id and h.event_id = n.event_id and h.delivery_id = n.delivery_id
    returning h.merchant_id, h.event_id
  ), queued as materialized (
    select q.place from mine m cross join lateral (select q.ctid as place from delivery_queue q
      where q.merchant_id = m.merchant_id and q.event_id = m.event_id offset 0) q
  ), finished as (
    delete from delivery_queue q where q.ctid = any (array(select place from queued)) returning q.*
  )
  select array_agg(f.delivery_id), array_agg(f.merchant_id), array_agg(f.event_id), array_agg(f.attempt), array_agg(f.due_at),
    array_agg(f.asked_by), array_agg(f.destination)
  into ids, businesses, events, tries, dues, askers, places from finished f;
  insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, duration_ms,
    status_code, response, request, asked_by)
  select f.merchant_id, f.delivery_id, f.event_id, f.attempt, 'delivered', f.due_at, n.started_at, n.duration_ms,
    n.status_code, n.response, n.request, f.asked_by
  from unnest(ids, businesses, events, tries, dues, askers)
      as f (delivery_id, merchant_id, event_id, attempt, due_at, asked_by)
    join json_to_recordset(attempts) as n (merchant_id bigint, event_id text, started_at timestamptz, duration_ms int,
      status_code int, response text, request jsonb) on n.merchant_id = f.merchant_id and n.event_id = f.event_id;
  -- Shared between senders, so they are locked in one order.
  perform from failing_destinations d
  where (d.merchant_id, d.destination) in (select * from unnest(businesses, places))
  order by d.merchant_id, d.destination for update;
  if not found then return query select id, null::bigint, null::text, null::timestamptz from unnest(ids) as id; return; end if;
  return query
  with cleared as (
    delete from failing_destinations d where (d.merchant_id, d.destination) in (select * from unnest(businesses, places))
    returning d.merchant_id, d.destination, d.failing_since, d.told_at
  )
  select f.id, c.merchant_id, c.destination, c.failing_since from unnest(ids, businesses, places) as f (id, business, place)
  left join cleared c on c.merchant_id = f.business and c.destination = f.place and c.told_at is not null;
end $$;

create function finish_delivered(attempts json)
returns table (delivery_id bigint, merchant_id bigint, destination text, failing_since timestamptz)
language plpgsql as $$
begin
  if is_queue_long() then
    return query select * from finish_delivered_for(1::bigint, attempts);
  else
    return query select * from finish_delivered_for(1::smallint, attempts);
  end if;
end $$;

-- Successes whose destinations nobody was told of: one statement, all or nothing. ML001: the owner of one was told that it
-- fails, and is to be told with it that it works again; nothing is written.
create function finish_quietly(attempts json) returns setof bigint language plpgsql as $$
declare
  finished record;
begin
  for finished in select * from finish_delivered(attempts) loop
    if finished.failing_since is not null then raise sqlstate 'ML001'; end if;
    return next finished.delivery_id;
  end loop;
end $$;

-- Writes a failed attempt into the log, once, and what follows from it into the queue: the next attempt, or without
-- `next_due` none. False when it is no longer ours: its lease lapsed, and another attempt is on its way.
create function finish_failed(
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
      update delivery_queue q set attempt = q.attempt + 1, step = $3, due_at = $4, delivery_id = $5, asked_by = 'schedule'
      where q.merchant_id = $1 and q.event_id = $2
    $statement$ using merchant, event, next_step, next_due, nextval('delivery_ids');
  end if;
  return true;
end $$;

-- What a killed sender had in hand: recorded as interrupted, and due again under a number of its own. Answers how many.
create function repeat_lapsed(moment timestamptz, most int, interrupted jsonb) returns int language plpgsql as $$
declare
  lapsed record;
  queued delivery_queue;
  next_id bigint;
  repeated int := 0;
begin
  for lapsed in
    select h.merchant_id, h.event_id, h.started_at from deliveries_in_hand h where h.leased_until <= moment
    order by h.leased_until limit most for update skip locked
  loop
    delete from deliveries_in_hand h where h.merchant_id = lapsed.merchant_id and h.event_id = lapsed.event_id;
    select q.* into queued from delivery_queue q
    where q.merchant_id = lapsed.merchant_id and q.event_id = lapsed.event_id for update;
    continue when not found;
    insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, failure, asked_by)
    values (queued.merchant_id, queued.delivery_id, queued.event_id, queued.attempt, 'failed', queued.due_at,
      lapsed.started_at, interrupted, queued.asked_by);
    next_id := nextval('delivery_ids');
    update delivery_queue q set attempt = q.attempt + 1, due_at = moment, delivery_id = next_id
    where q.merchant_id = queued.merchant_id and q.event_id = queued.event_id;
    repeated := repeated + 1;
  end loop;
  return repeated;
end $$;

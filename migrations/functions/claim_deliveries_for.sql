-- Leases due deliveries. The caller holds the lock with which senders take turns.
-- Migration 28 explains `size` and `offset 0`: there are two plans, for a short and for a long queue. One plan for
-- both costs 3.1 ms instead of 1.0.
-- There are two ways in. Live first attempts, newest first, never wait behind a backlog. Then comes everything that is
-- due, oldest first. Hashed filters on the index leave out what is in progress, and destinations and businesses that
-- have their full share. So ten thousand rows behind one slow shop are skipped. If the backlog gets no places, only
-- live attempts are looked for, which is always cheap.
create or replace function claim_deliveries_for(
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
    -- A first attempt to a failing destination must not use the places that are kept free.
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
    -- The business with the fewest deliveries in progress comes first, then the oldest delivery.
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
    -- The event's time names the one week that has its bytes.
    (select b.body from event_bodies b
      where b.merchant_id = e.merchant_id and b.event_id = e.event_id and b.created_at = e.created_at),
    m.webhook_secret, m.old_webhook_secret, m.secret_rotated_at, c.is_live
  from chosen c
    cross join lateral (select * from events e
      where e.merchant_id = c.merchant_id and e.event_id = c.event_id offset 0) e
    join merchants m on m.merchant_id = c.merchant_id;
end $$;

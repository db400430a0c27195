-- Records many successful attempts: no longer in progress, out of the queue, into the log.
-- Returns the deliveries that were still ours. The destination is set if its owner was notified that it fails.
create or replace function finish_delivered_for(size anyelement, attempts json)
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
  -- Senders share these rows. Lock them in one order, or two senders could deadlock.
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

-- What looks into the queue of webhooks goes by its indexes (decision 48).
-- The queue is empty most of the time, and the planner then takes it for empty: a plan that reads through the whole table
-- for each row is made, and kept, and a burst costs its square.

alter function claim_deliveries(timestamptz, timestamptz, timestamptz, int, int, int, int, int) set enable_seqscan = off;

-- Writes down successful attempts, many at once: out of hand, out of the queue, into the log. Answers which deliveries
-- were still ours, with the destination where it had failed so long that its owner was told. Rows of destinations are
-- shared between senders, so they are locked in one order.
create function finish_delivered(attempts json)
returns table (delivery_id bigint, merchant_id bigint, destination text, failing_since timestamptz)
language plpgsql set enable_seqscan = off as $$
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
  ), finished as (
    delete from delivery_queue q using mine m where q.merchant_id = m.merchant_id and q.event_id = m.event_id
    returning q.*
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

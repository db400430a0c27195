-- Records a killed sender's attempts in progress as interrupted, and makes them due again. Returns how many.
create or replace function repeat_lapsed(moment timestamptz, most int, interrupted jsonb) returns int language plpgsql as $$
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

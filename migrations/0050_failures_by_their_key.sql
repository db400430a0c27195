-- The record of a failed attempt finds its rows by their key too (decision 50).
-- The plan of a plain statement is made while the queue is empty, and then reads through all of a burst for each failure.

-- Writes a failed attempt into the log, once, and what follows from it into the queue: the next attempt, or without
-- `next_due` none. False when it is no longer ours: its lease lapsed, and another attempt is on its way.
create function finish_failed(
  merchant bigint, event text, delivery bigint, started timestamptz, duration int, status int, failed_by jsonb,
  answer text, asked jsonb, next_step int, next_due timestamptz
) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  queued delivery_queue;
begin
  delete from deliveries_in_hand h where h.merchant_id = merchant and h.event_id = event and h.delivery_id = delivery;
  if not found then return false; end if;
  select q.* into queued from delivery_queue q where q.merchant_id = merchant and q.event_id = event for update;
  if not found then return false; end if;
  insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, duration_ms,
    status_code, failure, response, request, asked_by)
  values (merchant, queued.delivery_id, event, queued.attempt, 'failed', queued.due_at, started, duration,
    status, failed_by, answer, asked, queued.asked_by);
  if next_due is null then
    delete from delivery_queue q where q.merchant_id = merchant and q.event_id = event;
  else
    update delivery_queue q set attempt = q.attempt + 1, step = next_step, due_at = next_due,
      delivery_id = nextval('delivery_ids'), asked_by = 'schedule'
    where q.merchant_id = merchant and q.event_id = event;
  end if;
  return true;
end $$;

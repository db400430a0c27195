-- Records a failed attempt in the log, once, and the next attempt in the queue.
-- Without `next_due` there is no next attempt. False if the attempt is no longer ours: its lease ended, and another
-- attempt is in progress.
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
      update delivery_queue q set attempt = q.attempt + 1, step = $3, due_at = $4, delivery_id = $5, asked_by = 'schedule'
      where q.merchant_id = $1 and q.event_id = $2
    $statement$ using merchant, event, next_step, next_due, nextval('delivery_ids');
  end if;
  return true;
end $$;

-- Whether something is due that is not in progress.
-- Ask right after a claim, which skips destinations and businesses that have their share.
create or replace function is_delivery_left(due timestamptz) returns boolean language plpgsql as $$
begin
  return exists (select from delivery_queue q where q.due_at <= due and not exists (
    select from deliveries_in_hand h where h.merchant_id = q.merchant_id and h.event_id = q.event_id));
end $$;

-- Leases due deliveries to a sender.
-- All processes' senders take turns with a lock, so that counting a destination's deliveries in progress is exact.
-- Each query after the lock sees what the others committed.
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

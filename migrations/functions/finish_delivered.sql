-- Records successful attempts, planned for the length of the queue (see `claim_deliveries_for`).
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

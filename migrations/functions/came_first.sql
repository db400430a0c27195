-- Whether an order existed before an alert (R14).
-- Both draw a number from one sequence when they are inserted. That suffices, although drawing and committing are two
-- moments. Nobody learns an order's amount before its commit, so the mail of a customer who paid it draws later. A
-- mail with an earlier number was stored before anybody could know the amount.
-- Clocks do not count. Rows from before 0.2.0 have no number and are earlier than all that have one. Their times
-- decide between two of them.
create or replace function came_first(
  order_epoch int, order_number bigint, created_at timestamptz, alert_epoch int, alert_number bigint, arrived_at timestamptz
) returns boolean language sql stable as $$
  select case
    when order_number is not null and alert_number is not null
      then (order_epoch, order_number) < (alert_epoch, alert_number)
    when order_number is null and alert_number is null then arrived_at >= created_at - interval '2 seconds'
    else order_number is null end
$$;

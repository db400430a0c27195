-- Locks every order in whose time this amount came, whatever its state (R3: at most one).
create or replace function lock_holders(business bigint, credit jsonb) returns void language plpgsql as $$
begin
  perform from orders o
  where o.merchant_id = business and o.payable_paise = (credit ->> 'amount')::bigint
    and o.created_at <= (credit ->> 'alert_time')::timestamptz + (credit ->> 'early')::interval
    and o.expires_at >= (credit ->> 'alert_time')::timestamptz - (credit ->> 'late')::interval
  order by o.order_id for update;
end $$;

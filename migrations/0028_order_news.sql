-- Whoever shows an order hears when its status changes, whoever changes it, with the commit of the change.

create function tell_order_news() returns trigger language plpgsql as $$
begin
  perform pg_notify('milaan_orders', new.pay_token);
  return null;
end $$;
create trigger tell_order_news after update of status on orders
  for each row when (old.status is distinct from new.status) execute function tell_order_news();

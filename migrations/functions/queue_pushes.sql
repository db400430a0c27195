-- Queues a notice or a paid order for each device of users who may see it and want it.
-- It uses several queries, because a single one costs a Citus worker four times as much.
create or replace function queue_pushes(
  business bigint, about text, notice bigint, of_order text, amount bigint, moment timestamptz, until timestamptz, roles text[]
) returns void language plpgsql as $$
declare
  told text;
begin
  for told in
    select d.device_id from push_devices d
      join users u on u.merchant_id = d.merchant_id and u.user_id = d.user_id
      left join notice_choices n on n.merchant_id = d.merchant_id and n.user_id = d.user_id and n.topic = about
    where d.merchant_id = business and u.role = any (roles) and coalesce(n.by_push, true)
  loop
    insert into pushes (merchant_id, device_id, topic, notice_id, order_id, amount_paise, created_at, next_try_at, useful_until)
    values (business, told, about, notice, of_order, amount, moment, moment, until);
  end loop;
end $$;

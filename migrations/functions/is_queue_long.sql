-- Whether looking up a key beats reading the whole queue: up to eight pages it does not.
create or replace function is_queue_long() returns boolean language sql as $$
  select pg_relation_size('delivery_queue') > 8 * 8192
$$;

-- Records an event, its bytes and its first delivery. The commit wakes senders. False: it exists already.
create or replace function record_event(
  business bigint, event text, kind text, of_order text, url text, bytes text, destination text, moment timestamptz,
  step int, asked_by text
) returns boolean language plpgsql as $$
declare
  -- Rounded like the tables' columns, because the body is looked up by the event's exact time.
  kept constant timestamptz(3) := moment;
  told text;
begin
  insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
  values (business, event, kind, of_order, url, kept) on conflict do nothing;
  if not found then return false; end if;
  insert into event_bodies (merchant_id, event_id, created_at, body) values (business, event, kept, bytes);
  -- An order without a shop has no receiver, but what happened is recorded anyway.
  if url = '' then return true; end if;
  insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at, asked_by)
  values (business, event, 1, step, destination, kept, asked_by);
  told := pg_notify('milaan_deliveries', '');
  return true;
end $$;

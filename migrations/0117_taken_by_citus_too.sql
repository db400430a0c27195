-- What a node of Citus refuses is said so that it takes it, and plain PostgreSQL as before: a cell may be a schema of a cluster.
-- The release before may run beside it.
-- There the tables are on another server than the functions that ask them, and a statement that reads one is sent over as a
-- whole. So whatever asks a table, draws a number, takes a lock or notifies stands alone or in a function that is called
-- beside no table; and no trigger asks one. Those of before stay for the release before: what they do is done twice alike.

-- For a statement that reads the business anyway.
create function stop_if_moved(moved timestamptz) returns int language plpgsql as $$
begin
  if moved is not null then raise sqlstate 'ML503' using message = 'this business is being moved'; end if;
  return null;
end $$;

-- As in migration 100; at a worker a function finds none of ours by its bare name, so this one asks no other.
create or replace function names_earlier_day(reference text, moment timestamptz) returns boolean language plpgsql stable as $$
declare
  bare constant text := regexp_replace(reference, '^0+(?=[0-9])', '');
  counted constant text := lpad(bare, greatest(length(bare), 12), '0');
  told date := (moment at time zone 'Asia/Kolkata')::date;
begin
  if counted is null or counted !~ '^[0-9]{12}$' then return false; end if;
  for earlier in 1 .. 3 loop
    told := told - 1;
    if left(counted, 4) in (to_char(told, 'Y') || to_char(extract(doy from told)::int, 'FM000'),
      to_char(told, 'Y') || to_char(extract(doy from told)::int + 366, 'FM000')) then return true; end if;
  end loop;
  return false;
end $$;

-- An order that a connected shop's key made is that shop's: what is told about it is signed with the shop's secret.
create function note_shop(business bigint, presented_key bytea, of_order text, outcome text) returns void language plpgsql as $$
begin
  if presented_key is null or outcome <> 'created' then return; end if;
  insert into connected_orders (merchant_id, order_id, key_id)
  select k.merchant_id, of_order, k.key_id
  from api_keys k join connections s on s.merchant_id = k.merchant_id and s.key_id = k.key_id
  where k.merchant_id = business and k.key_hash = presented_key;
end $$;

-- As `credit_holders` of migration 100, which the release before asks on plain PostgreSQL: the order with its account, its
-- gate, and `version`, another one once a word of either has changed. `holders` is 1, or more where R3 is broken.
create function credit_holder(
  business bigint, alert text, credit jsonb, out o orders, out a upi_accounts, out gate text, out version text, out holders bigint
) language plpgsql stable as $$
declare
  met record;
begin
  select h as holder, u as account, m.fresh_only, count(*) over () as holders,
    hash_record_extended(h, 0)::text || ' ' || hash_record_extended(u, 0)::text as version
  into met
  from alerts e join orders h on h.merchant_id = e.merchant_id
    join upi_accounts u on u.merchant_id = h.merchant_id and u.account_id = h.account_id
    join merchants m on m.merchant_id = h.merchant_id
  where e.merchant_id = business and e.alert_id = alert
    and h.merchant_id = business and h.payable_paise = (credit ->> 'amount')::bigint
    and h.status in ('pending', 'manual_review', 'paid')
    and h.created_at <= (credit ->> 'alert_time')::timestamptz + (credit ->> 'early')::interval
    and h.expires_at >= (credit ->> 'alert_time')::timestamptz - (credit ->> 'late')::interval
    and came_first(h.arrival_epoch, h.arrival_number, h.created_at, e.arrival_epoch, e.arrival_number, e.arrived_at)
  limit 1;
  if not found then return; end if;
  o := met.holder;
  a := met.account;
  version := met.version;
  holders := met.holders;
  gate := credit_gate(business, credit, o.order_id, o.status, o.payable_paise, o.created_at,
    met.fresh_only, o.seen_at, o.intent_at, a.review_above_paise);
end $$;

-- As in migration 103; asked about elsewhere behind the insert, not in it.
create or replace function count_credit(business bigint, alert text, credit jsonb, moment timestamptz, settles boolean) returns text
language plpgsql as $$
declare
  signature text;
  reference constant text := counted_reference(credit ->> 'reference');
  mark constant text := credit ->> 'mark';
begin
  -- Always in one order, so that two copies of a mail cannot wait for each other.
  for signature in
    select distinct s collate "C" from jsonb_array_elements_text(credit -> 'signatures') s order by 1
  loop
    -- One that was counted before: the same mail again, refolded, renamed, or in another mailbox.
    insert into counted_signatures as c (signature_id, merchant_id, alert_id, counted_at, settled)
    values (signature, business, alert, moment, settles)
    on conflict (signature_id) do update
      set merchant_id = excluded.merchant_id, alert_id = excluded.alert_id, settled = c.settled or excluded.settled
      where (c.merchant_id = excluded.merchant_id and c.alert_id = excluded.alert_id)
        or (c.merchant_id <> excluded.merchant_id and not c.settled);
    if not found then
      return case when exists (select from counted_signatures c where c.signature_id = signature and c.merchant_id = business)
        then 'counted_before' else 'counted_elsewhere' end;
    end if;
  end loop;
  if reference is null then return null; end if;
  if mark is null then
    if exists (select from erasure_keys) then raise sqlstate 'ML002'; end if;
  elsif exists (select from counted_references r
    where r.merchant_id = business and r.bank_reference = mark and r.alert_id <> alert) then
    return 'counted_before';
  end if;
  -- Another alert of this business carried the same reference, with as many leading zeros as its bank prints, or it has
  -- settled something in another business whose account it is too.
  insert into counted_references as r (merchant_id, bank_reference, alert_id, counted_at)
  values (business, reference, alert, moment)
  on conflict (merchant_id, bank_reference) do update set alert_id = excluded.alert_id where r.alert_id = excluded.alert_id;
  if not found then return 'counted_before'; end if;
  return case when settled_elsewhere(business, credit ->> 'bank', reference, credit ->> 'digits', mark)
    then 'counted_elsewhere' end;
end $$;

-- As in migration 100, step after step: as one statement with three inserts it costs a worker four times as much.
create or replace function queue_pushes(
  business bigint, about text, notice bigint, of_order text, amount bigint, moment timestamptz, until timestamptz, roles text[]
) returns void language plpgsql as $$
declare
  told text;
begin
  for told in select c.chat_id from chats c where c.merchant_id = business and c.off_reason is null and about = any (c.topics)
  loop
    insert into chat_messages (merchant_id, chat_id, topic, notice_id, order_id, amount_paise, useful_until)
    values (business, told, about, notice, of_order, amount, until);
  end loop;
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

create or replace function record_event(
  business bigint, event text, kind text, of_order text, url text, bytes text, destination text, moment timestamptz,
  step int, asked_by text
) returns boolean language plpgsql as $$
declare
  -- As the tables keep it: the body is looked for at the event's very moment.
  kept constant timestamptz(3) := moment;
  told text;
begin
  insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
  values (business, event, kind, of_order, url, kept) on conflict do nothing;
  if not found then return false; end if;
  insert into event_bodies (merchant_id, event_id, created_at, body) values (business, event, kept, bytes);
  -- An order without a shop has nobody to be told; what happened is recorded all the same.
  if url = '' then return true; end if;
  insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at, asked_by)
  values (business, event, 1, step, destination, kept, asked_by);
  told := pg_notify('milaan_deliveries', '');
  return true;
end $$;

-- A piece is counted once, whoever counts it (migration 82).
alter table order_purposes add column counted boolean not null default false;
create function count_piece(business bigint, of_order text) returns void language plpgsql as $$
declare
  sold text;
begin
  update order_purposes u set counted = true from payment_links l
  where u.merchant_id = business and u.order_id = of_order and not u.counted
    and l.merchant_id = business and l.link_id = u.link_id and l.stock is not null
  returning l.link_id into sold;
  if not found then return; end if;
  update payment_links l set paid_pieces = l.paid_pieces + 1 where l.merchant_id = business and l.link_id = sold;
end $$;
create or replace function count_paid_piece() returns trigger language plpgsql as $$
begin
  perform count_piece(new.merchant_id, new.order_id);
  return null;
end $$;

-- Archived anew where it was archived before: as the trigger of migration 29.
create function archive_anew(business bigint, was_created_at timestamptz) returns void language plpgsql as $$
declare
  before constant timestamptz := was_created_at - interval '1 millisecond';
begin
  update history_progress h set archived_to = before, archived_id = ''
  where h.merchant_id = business and h.archived_to >= was_created_at;
end $$;

-- As in migration 102, and does what triggers did.
create or replace function pay_order(
  business bigint, paid_order text, by_alert text, amount bigint, reference text, moment timestamptz,
  event text, event_body text, destination text, roles text[], told_until timestamptz
) returns boolean language plpgsql as $$
declare
  paid record;
  done text;
begin
  select o.ctid as place, o.status, o.payable_paise, o.webhook_url, o.merchant_order_id like 'till-%' as is_till,
    o.pay_token, o.created_at, o.archived_at is not null as was_archived into paid
  from orders o where o.merchant_id = business and o.order_id = paid_order and o.status in ('pending', 'manual_review')
  for update;
  if not found then raise exception 'order % does not wait for money', paid_order; end if;
  -- Where it lies, which cannot change behind its lock: so no plan can go another way.
  update orders o set status = 'paid', paid_at = moment, alert_id = by_alert, bank_reference = reference,
    received_paise = amount, archived_at = null
  where o.ctid = paid.place;
  done := pg_notify('milaan_orders', paid.pay_token);
  if paid.was_archived then done := archive_anew(business, paid.created_at); end if;
  -- Nobody who paid pays again: its amount is clear when its hold is over, as far as earlier holders left it so.
  update amounts a set clear_at = greatest(a.doubted_until, a.held_until)
  where a.merchant_id = business and a.payable_paise = paid.payable_paise and a.order_id = paid_order;
  if paid.status = 'manual_review' then done := release_credit(business, paid_order, moment); end if;
  if not exists (select from takings t where t.merchant_id = business and t.alert_id = by_alert) then
    insert into collections as c (merchant_id, month, collected_paise)
    values (business, date_trunc('month', moment at time zone 'Asia/Kolkata')::date, amount)
    on conflict (merchant_id, month) do update set collected_paise = c.collected_paise + excluded.collected_paise;
  end if;
  done := queue_pushes(business, 'payment', null, paid_order, amount, moment, told_until, roles);
  done := record_event(business, event, 'payment.paid', paid_order, paid.webhook_url, event_body, destination, moment, 0,
    'schedule');
  if not paid.is_till then return false; end if;
  done := count_piece(business, paid_order);
  return exists (
    select from order_purposes u join payment_links l on l.merchant_id = u.merchant_id and l.link_id = u.link_id
    where u.merchant_id = business and u.order_id = paid_order and l.stock is not null);
end $$;

-- As in migration 100: a place of an array, named inside an update, ends a server of Citus (13.2.2).
create or replace function store_verdict(
  business bigint, alert text, credit jsonb, outcome text, of_order text, by_row int, code text, code_facts jsonb,
  named jsonb, moment timestamptz
) returns void language plpgsql as $$
declare
  signatures constant text[] := array(select jsonb_array_elements_text(credit -> 'signatures'));
  first constant text := signatures[1];
  others constant text[] := signatures[2:];
begin
  update alerts a set verdict = outcome, reason_code = code, facts = code_facts, order_id = of_order, near_misses = named,
    table_row = by_row, trust = credit ->> 'trust', judged_at = moment, next_try_at = null, claim = null, leased_until = null,
    bank = credit ->> 'bank', template = credit ->> 'template', amount_paise = (credit ->> 'amount')::bigint,
    bank_reference = credit ->> 'reference', payer = credit ->> 'payer', account_digits = credit ->> 'digits',
    payee_vpa = credit ->> 'payee_vpa', alert_time = (credit ->> 'alert_time')::timestamptz,
    signature_id = first, other_signature_ids = others, signing_domain = credit ->> 'signing_domain',
    selector = credit ->> 'selector', recipient = credit ->> 'recipient',
    printed_at = coalesce(credit ->> 'printed_at', a.printed_at)
  where a.merchant_id = business and a.alert_id = alert;
end $$;

-- As in migration 110.
create or replace function pay_at_once(
  business bigint, alert text, credit jsonb, chosen_order text, chosen_version text, moment timestamptz,
  code text, code_facts jsonb, event text, event_body text, destination text, roles text[], told_until timestamptz
) returns boolean language plpgsql as $$
declare
  met record;
  done text;
begin
  done := refuse_moved(business);
  if credit ->> 'reference' is not null then done := lock_reference(business, credit ->> 'reference'); end if;
  perform from alerts a
  where a.merchant_id = business and a.alert_id = alert and a.verdict in ('unjudged', 'retrying') for update;
  if not found then return false; end if;
  if count_credit(business, alert, credit, moment, true) is not null then raise sqlstate 'ML001'; end if;
  done := lock_holders(business, credit);
  met := credit_holder(business, alert, credit);
  if (met.holders, (met.o).order_id, met.version) is distinct from (1::bigint, chosen_order, chosen_version)
    or met.gate is not null then
    raise sqlstate 'ML001';
  end if;
  if pay_order(business, chosen_order, alert, (credit ->> 'amount')::bigint, credit ->> 'reference', moment,
    event, event_body, destination, roles, told_until) then
    raise sqlstate 'ML001';
  end if;
  done := store_verdict(business, alert, credit, 'paid', chosen_order, 3, code, code_facts, '[]', moment);
  return true;
end $$;

-- As in migration 65; the log is written, and destinations that had failed are cleared, in statements of their own.
create or replace function finish_delivered_for(size anyelement, attempts json)
returns table (delivery_id bigint, merchant_id bigint, destination text, failing_since timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  ids bigint[];
  businesses bigint[];
  events text[];
  tries int[];
  dues timestamptz[];
  askers text[];
  places text[];
begin
  with done as materialized (
    select * from json_to_recordset(attempts) as n (merchant_id bigint, event_id text, delivery_id bigint)
  ), mine as (
    delete from deliveries_in_hand h using done n
    where h.merchant_id = n.merchant_id and h.event_id = n.event_id and h.delivery_id = n.delivery_id
    returning h.merchant_id, h.event_id
  ), queued as materialized (
    select q.place from mine m cross join lateral (select q.ctid as place from delivery_queue q
      where q.merchant_id = m.merchant_id and q.event_id = m.event_id offset 0) q
  ), finished as (
    delete from delivery_queue q where q.ctid = any (array(select place from queued)) returning q.*
  )
  select array_agg(f.delivery_id), array_agg(f.merchant_id), array_agg(f.event_id), array_agg(f.attempt), array_agg(f.due_at),
    array_agg(f.asked_by), array_agg(f.destination)
  into ids, businesses, events, tries, dues, askers, places from finished f;
  insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, duration_ms,
    status_code, response, request, asked_by)
  select f.merchant_id, f.delivery_id, f.event_id, f.attempt, 'delivered', f.due_at, n.started_at, n.duration_ms,
    n.status_code, n.response, n.request, f.asked_by
  from unnest(ids, businesses, events, tries, dues, askers)
      as f (delivery_id, merchant_id, event_id, attempt, due_at, asked_by)
    join json_to_recordset(attempts) as n (merchant_id bigint, event_id text, started_at timestamptz, duration_ms int,
      status_code int, response text, request jsonb) on n.merchant_id = f.merchant_id and n.event_id = f.event_id;
  -- Shared between senders, so they are locked in one order.
  perform from failing_destinations d
  where (d.merchant_id, d.destination) in (select * from unnest(businesses, places))
  order by d.merchant_id, d.destination for update;
  if not found then return query select id, null::bigint, null::text, null::timestamptz from unnest(ids) as id; return; end if;
  return query
  with cleared as (
    delete from failing_destinations d where (d.merchant_id, d.destination) in (select * from unnest(businesses, places))
    returning d.merchant_id, d.destination, d.failing_since, d.told_at
  )
  select f.id, c.merchant_id, c.destination, c.failing_since from unnest(ids, businesses, places) as f (id, business, place)
  left join cleared c on c.merchant_id = f.business and c.destination = f.place and c.told_at is not null;
end $$;

-- As in migration 65; the next number is drawn before it is written.
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

-- What a killed sender had in hand: recorded as interrupted, and due again under a number of its own. Answers how many.
create function repeat_lapsed(moment timestamptz, most int, interrupted jsonb) returns int language plpgsql as $$
declare
  lapsed record;
  queued delivery_queue;
  next_id bigint;
  repeated int := 0;
begin
  for lapsed in
    select h.merchant_id, h.event_id, h.started_at from deliveries_in_hand h where h.leased_until <= moment
    order by h.leased_until limit most for update skip locked
  loop
    delete from deliveries_in_hand h where h.merchant_id = lapsed.merchant_id and h.event_id = lapsed.event_id;
    select q.* into queued from delivery_queue q
    where q.merchant_id = lapsed.merchant_id and q.event_id = lapsed.event_id for update;
    continue when not found;
    insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, failure, asked_by)
    values (queued.merchant_id, queued.delivery_id, queued.event_id, queued.attempt, 'failed', queued.due_at,
      lapsed.started_at, interrupted, queued.asked_by);
    next_id := nextval('delivery_ids');
    update delivery_queue q set attempt = q.attempt + 1, due_at = moment, delivery_id = next_id
    where q.merchant_id = queued.merchant_id and q.event_id = queued.event_id;
    repeated := repeated + 1;
  end loop;
  return repeated;
end $$;

-- An event is signed for the shop whose order it is: with what that shop knows now, if it has connected again from the
-- same address, else with what it was given, also after it was disconnected. A test goes to whoever has its address.
create function shop_secrets(business bigint, of_order text, is_test boolean, address text)
returns table (shop text, shop_secret text, old_shop_secret text, shop_secret_rotated_at timestamptz)
language plpgsql stable rows 1 as $$
begin
  return query
  select case when n.webhook_secret is not null then n.key_id end, n.webhook_secret, n.old_webhook_secret,
    n.secret_rotated_at::timestamptz
  from connections mine
    join connections n on n.merchant_id = mine.merchant_id and n.return_url = mine.return_url
    join api_keys k on k.merchant_id = n.merchant_id and k.key_id = n.key_id
  where mine.merchant_id = business and (k.revoked_at is null or k.key_id = mine.key_id)
    and case when of_order is null then is_test and mine.webhook_url = address
      else mine.key_id = (select o.key_id from connected_orders o
        where o.merchant_id = business and o.order_id = of_order) end
  order by k.revoked_at is not null, n.agreed_at desc limit 1;
end $$;

-- Holds the leases of these mailboxes and writes how far each folder was read, as far as the leases are ours; answers their
-- places, counted from 1. `skips`: where nobody else has them at this moment.
create function write_positions(
  businesses bigint[], fences bigint[], folders text[], validities bigint[], uids bigint[], scans timestamptz[], mails text[],
  rests bigint[], skips boolean
) returns setof bigint language plpgsql as $$
declare
  held bigint[];
begin
  if skips then
    held := array(select a.place from unnest(businesses, fences) with ordinality as a (merchant_id, fence, place)
        join mailboxes m using (merchant_id) join mailbox_leases l using (merchant_id, fence)
      for key share of m skip locked for share of l skip locked);
  else
    held := array(select a.place from unnest(businesses, fences) with ordinality as a (merchant_id, fence, place)
        join mailboxes m using (merchant_id) join mailbox_leases l using (merchant_id, fence)
      for key share of m for share of l);
  end if;
  insert into mailbox_positions (merchant_id, folder, uidvalidity, next_uid, scan_from, last_mails, rest_below)
  select a.merchant_id, a.folder, a.uidvalidity, a.next_uid, a.scan_from, string_to_array(a.last_mails, ' '), a.rest_below
  from unnest(businesses, folders, validities, uids, scans, mails, rests) with ordinality
    as a (merchant_id, folder, uidvalidity, next_uid, scan_from, last_mails, rest_below, place)
  where a.place = any (held)
  on conflict (merchant_id, folder) do update set
    uidvalidity = excluded.uidvalidity, next_uid = excluded.next_uid, scan_from = excluded.scan_from,
    last_mails = excluded.last_mails, rest_below = excluded.rest_below;
  return query select unnest(held);
end $$;

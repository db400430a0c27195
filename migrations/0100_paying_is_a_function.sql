-- Paying is written once, as a function of the database; so is each rule that both ways to it ask (R2, R14, R17).
-- The release before may run beside it.

-- A credit is handed around as the service knows it: amount, alert_time, bank, template, reference, payer, digits,
-- payee_vpa, printed_at, signatures, signing_domain, selector, recipient, trust; and the service's own limits with it:
-- early, late, fresh (intervals) and trial (payments).

-- A bank's reference in the form in which it counts once: without leading zeros, which one mail prints and another does
-- not, and as long as most references are.
create function counted_reference(reference text) returns text language sql immutable as $$
  select lpad(regexp_replace(reference, '^0+(?=[0-9])', ''),
    greatest(length(regexp_replace(reference, '^0+(?=[0-9])', '')), 12), '0')
$$;

-- Until the transaction ends, nobody else of this business can ask about this reference. The first lock of all.
create function lock_reference(business bigint, reference text) returns void language plpgsql as $$
declare
  locked text;
begin
  locked := pg_advisory_xact_lock(hashtextextended(business::text || ' ' || counted_reference(reference), 0));
end $$;

-- R14: whether an order was there before an alert, by the numbers that both drew from one sequence when they were
-- inserted. That suffices, though neither draws and commits at once: nobody learns an order's amount before its commit,
-- which is after it drew; so the mail of whoever paid it is stored, and draws, later still. And a mail that drew before
-- the order drew was here before anybody could know the amount. Clocks have no say. Rows of before the numbers are
-- earlier than all that have one; among themselves their times decide, as they did then.
create function came_first(
  order_epoch int, order_number bigint, created_at timestamptz, alert_epoch int, alert_number bigint, arrived_at timestamptz
) returns boolean language sql stable as $$
  select case
    when order_number is not null and alert_number is not null
      then (order_epoch, order_number) < (alert_epoch, alert_number)
    when order_number is null and alert_number is null then arrived_at >= created_at - interval '2 seconds'
    else order_number is null end
$$;

-- Whether a reference tells of one of the three days before this moment's, in India: NPCI's begin with the last digit of
-- the year and the day of the year, some banks' with that day and 366 more. Any other digits say nothing.
create function names_earlier_day(reference text, moment timestamptz) returns boolean language plpgsql stable as $$
declare
  counted constant text := counted_reference(reference);
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

-- Locks every order in whose time this amount came, whatever became of it (R3: one at most).
create function lock_holders(business bigint, credit jsonb) returns void language plpgsql as $$
begin
  perform from orders o
  where o.merchant_id = business and o.payable_paise = (credit ->> 'amount')::bigint
    and o.created_at <= (credit ->> 'alert_time')::timestamptz + (credit ->> 'early')::interval
    and o.expires_at >= (credit ->> 'alert_time')::timestamptz - (credit ->> 'late')::interval
  order by o.order_id for update;
end $$;

-- What keeps an exact credit in time from paying the order that holds its amount by itself; null: nothing but the account
-- (R13), which the service asks about. Whose money it is is asked before whether it came.
create function credit_gate(
  business bigint, credit jsonb, holder text, status text, payable bigint, created_at timestamptz,
  fresh_only boolean, seen_at timestamptz, intent_at timestamptz, ceiling bigint
) returns text language plpgsql stable as $$
begin
  if status = 'paid' then return 'paid_already'; end if;
  if credit ->> 'reference' is not null and exists (select from claimed_references c
      join orders o on o.merchant_id = c.merchant_id and o.order_id = c.order_id
    where c.merchant_id = business and c.bank_reference = counted_reference(credit ->> 'reference')
      and c.order_id <> holder and o.status <> 'paid') then
    return 'contested';
  end if;
  if names_earlier_day(credit ->> 'reference', created_at - (credit ->> 'early')::interval) then return 'earlier_day'; end if;
  -- The owner wants fresh payments alone: somebody else may still pay this amount, and nothing shows that this customer
  -- just did.
  if fresh_only and seen_at is not null
    and coalesce(intent_at < (credit ->> 'alert_time')::timestamptz - (credit ->> 'fresh')::interval, true) then
    if exists (select from amounts a where a.merchant_id = business and a.payable_paise = payable and a.order_id = holder
      and a.doubted_until > (credit ->> 'alert_time')::timestamptz) then
      return 'not_fresh';
    end if;
  end if;
  if coalesce(credit ->> 'trust', '') not in ('confirmed', 'trial') then return 'waits_review_only'; end if;
  -- Its payments only ever grow: whoever reads an old number waits once too often, and never too seldom.
  if credit ->> 'trust' = 'trial' then
    if not exists (select from template_payments t
      where t.merchant_id = business and t.bank = credit ->> 'bank' and t.template = credit ->> 'template'
        and t.payments >= (credit ->> 'trial')::int) then
      return 'waits_trial';
    end if;
  end if;
  if (credit ->> 'amount')::bigint > ceiling then return 'waits_ceiling'; end if;
  return null;
end $$;

-- R3: the order that accepts this amount at this time, one at most, with its gate. `version` is another one once anything
-- of the order or of its account has changed.
create function credit_holders(business bigint, alert text, credit jsonb)
returns table (order_id text, gate text, version text) language sql stable rows 1 as $$
  select o.order_id,
    credit_gate(business, credit, o.order_id, o.status, o.payable_paise, o.created_at,
      m.fresh_only, o.seen_at, o.intent_at, u.review_above_paise),
    o.xmin::text || ' ' || u.xmin::text
  from alerts e join orders o on o.merchant_id = e.merchant_id
    join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
    join merchants m on m.merchant_id = o.merchant_id
  where e.merchant_id = business and e.alert_id = alert
    and o.merchant_id = business and o.payable_paise = (credit ->> 'amount')::bigint
    and o.status in ('pending', 'manual_review', 'paid')
    and o.created_at <= (credit ->> 'alert_time')::timestamptz + (credit ->> 'early')::interval
    and o.expires_at >= (credit ->> 'alert_time')::timestamptz - (credit ->> 'late')::interval
    and came_first(o.arrival_epoch, o.arrival_number, o.created_at, e.arrival_epoch, e.arrival_number, e.arrived_at)
  order by o.created_at limit 2
$$;

-- As in migration 71; nearly always nobody else has counted the reference, and that is asked first.
create or replace function settled_elsewhere(business bigint, of_bank text, reference text, printed_digits text) returns boolean
language plpgsql as $$
declare
  locked text;
begin
  locked := pg_advisory_xact_lock(hashtextextended(reference, 7264253));
  if not exists (select from counted_references r where r.bank_reference = reference and r.merchant_id <> business) then
    return false;
  end if;
  return exists (
    select from settled_references r
    where r.bank_reference = reference and r.bank = of_bank and r.merchant_id <> business
      and same_account(r.digits, coalesce(printed_digits, (
        select min(u.account_digits) from upi_accounts u where u.merchant_id = business and u.bank = of_bank
        having count(*) = 1))));
end $$;

-- R2: counts a credit, once: null, or that it was counted before, here or elsewhere. The caller takes back what was taken
-- until then: a copy that took half of what the first mail counted would make that one a duplicate too, and its order
-- would never be paid. What pays an order is settled for all; what only waits for a person is not, in any business.
create function count_credit(business bigint, alert text, credit jsonb, moment timestamptz, settles boolean) returns text
language plpgsql as $$
declare
  signature text;
  is_settled boolean;
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
  if credit ->> 'reference' is null then return null; end if;
  -- Another alert of this business carried the same reference, with as many leading zeros as its bank prints, or it has
  -- settled something in another business whose account it is too.
  insert into counted_references as r (merchant_id, bank_reference, alert_id, counted_at)
  values (business, counted_reference(credit ->> 'reference'), alert, moment)
  on conflict (merchant_id, bank_reference) do update set alert_id = excluded.alert_id where r.alert_id = excluded.alert_id
  returning settled_elsewhere(r.merchant_id, credit ->> 'bank', r.bank_reference, credit ->> 'digits') into is_settled;
  if not found then return 'counted_before'; end if;
  return case when is_settled then 'counted_elsewhere' end;
end $$;

-- What was settled for this credit waits again, and gives way to another business.
create function unsettle_credit(business bigint, alert text) returns void language plpgsql as $$
begin
  update counted_signatures s set settled = false
  from alerts a cross join unnest(a.signature_id || a.other_signature_ids) as signature
  where a.merchant_id = business and a.alert_id = alert
    and s.signature_id = signature and s.merchant_id = business and s.alert_id = alert;
end $$;

-- Money that waited beside an order is to be looked at again.
create function release_credit(business bigint, of_order text, moment timestamptz) returns void language plpgsql as $$
declare
  opened text;
  done text;
begin
  update handled_credits h set state = 'open', done_by = 'milaan', done_at = moment, note = ''
  where h.merchant_id = business and h.order_id = of_order and h.state = 'attached'
  returning h.alert_id into opened;
  if found then done := unsettle_credit(business, opened); end if;
end $$;

-- Told of a notice or of a paid order: a row per device of those who may see this and want it, and per chat.
create function queue_pushes(
  business bigint, about text, notice bigint, of_order text, amount bigint, moment timestamptz, until timestamptz, roles text[]
) returns void language plpgsql as $$
begin
  with chatted as (
    insert into chat_messages (merchant_id, chat_id, topic, notice_id, order_id, amount_paise, useful_until)
    select c.merchant_id, c.chat_id, about, notice, of_order, amount, until
    from chats c where c.merchant_id = business and c.off_reason is null and about = any (c.topics)
  )
  insert into pushes (merchant_id, device_id, topic, notice_id, order_id, amount_paise, created_at, next_try_at, useful_until)
  select d.merchant_id, d.device_id, about, notice, of_order, amount, moment, moment, until
  from push_devices d
    join users u on u.merchant_id = d.merchant_id and u.user_id = d.user_id
    left join notice_choices n on n.merchant_id = d.merchant_id and n.user_id = d.user_id and n.topic = about
  where d.merchant_id = business and u.role = any (roles) and coalesce(n.by_push, true);
end $$;

-- An event, its bytes and its first delivery; senders are woken by the commit. False: it exists already.
create function record_event(
  business bigint, event text, kind text, of_order text, url text, bytes text, destination text, moment timestamptz,
  step int, asked_by text
) returns boolean language plpgsql as $$
declare
  told text;
begin
  with fresh as (
    insert into events (merchant_id, event_id, type, order_id, webhook_url, created_at)
    values (business, event, kind, of_order, url, moment) on conflict do nothing
    returning merchant_id, event_id, created_at
  ), first as (
    insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at, asked_by)
    select f.merchant_id, f.event_id, 1, record_event.step, record_event.destination, f.created_at, record_event.asked_by
    -- An order without a shop has nobody to be told; what happened is recorded all the same.
    from fresh f where url <> ''
  )
  insert into event_bodies (merchant_id, event_id, created_at, body)
  select f.merchant_id, f.event_id, f.created_at, bytes from fresh f;
  if not found then return false; end if;
  if url <> '' then told := pg_notify('milaan_deliveries', ''); end if;
  return true;
end $$;

-- The one place where an order becomes paid: marked, its amount cleared, counted to the month, devices told, its event and
-- first delivery written. The caller found that this money is the order's, and holds alert and order locked. True: it is
-- a piece of a link with a stock, and somebody has to see whether there was one left.
create function pay_order(
  business bigint, paid_order text, by_alert text, amount bigint, reference text, moment timestamptz,
  event text, event_body text, destination text, roles text[], told_until timestamptz
) returns boolean language plpgsql as $$
declare
  paid record;
  done text;
begin
  select o.ctid as place, o.status, o.payable_paise, o.webhook_url, o.merchant_order_id like 'till-%' as is_till into paid
  from orders o where o.merchant_id = business and o.order_id = paid_order and o.status in ('pending', 'manual_review')
  for update;
  if not found then raise exception 'order % does not wait for money', paid_order; end if;
  -- Where it lies, which cannot change behind its lock: so no plan can go another way.
  update orders o set status = 'paid', paid_at = moment, alert_id = by_alert, bank_reference = reference,
    received_paise = amount, archived_at = null
  where o.ctid = paid.place;
  -- Nobody who paid pays again: its amount is clear when its hold is over, as far as earlier holders left it so.
  update amounts a set clear_at = greatest(a.doubted_until, a.held_until)
  where a.merchant_id = business and a.payable_paise = paid.payable_paise and a.order_id = paid_order;
  if paid.status = 'manual_review' then done := release_credit(business, paid_order, moment); end if;
  insert into collections as c (merchant_id, month, collected_paise)
  values (business, date_trunc('month', moment at time zone 'Asia/Kolkata')::date, amount)
  on conflict (merchant_id, month) do update set collected_paise = c.collected_paise + excluded.collected_paise;
  done := queue_pushes(business, 'payment', null, paid_order, amount, moment, told_until, roles);
  done := record_event(business, event, 'payment.paid', paid_order, paid.webhook_url, event_body, destination, moment, 0,
    'schedule');
  if not paid.is_till then return false; end if;
  return exists (
    select from order_purposes u join payment_links l on l.merchant_id = u.merchant_id and l.link_id = u.link_id
    where u.merchant_id = business and u.order_id = paid_order and l.stock is not null);
end $$;

-- R1: the verdict about a credit, with the facts that it rests on. The judge's claim ends.
create function store_verdict(
  business bigint, alert text, credit jsonb, outcome text, of_order text, by_row int, code text, code_facts jsonb,
  named jsonb, moment timestamptz
) returns void language plpgsql as $$
declare
  signatures constant text[] := array(select jsonb_array_elements_text(credit -> 'signatures'));
begin
  update alerts a set verdict = outcome, reason_code = code, facts = code_facts, order_id = of_order, near_misses = named,
    table_row = by_row, trust = credit ->> 'trust', judged_at = moment, next_try_at = null, claim = null, leased_until = null,
    bank = credit ->> 'bank', template = credit ->> 'template', amount_paise = (credit ->> 'amount')::bigint,
    bank_reference = credit ->> 'reference', payer = credit ->> 'payer', account_digits = credit ->> 'digits',
    payee_vpa = credit ->> 'payee_vpa', alert_time = (credit ->> 'alert_time')::timestamptz,
    signature_id = signatures[1], other_signature_ids = signatures[2:], signing_domain = credit ->> 'signing_domain',
    selector = credit ->> 'selector', recipient = credit ->> 'recipient',
    printed_at = coalesce(credit ->> 'printed_at', a.printed_at)
  where a.merchant_id = business and a.alert_id = alert;
end $$;

-- The clean payment, whole or not at all: a fresh alert, counted nowhere, that pays the order which was looked up and
-- judged to be of its account; neither has changed since, and no gate keeps it from it. Locks are taken in the order of the careful way, and everything is asked
-- behind them. False, or the state ML001: not clean, and nothing is written; the careful way decides.
create function pay_at_once(
  business bigint, alert text, credit jsonb, chosen_order text, chosen_version text, moment timestamptz,
  code text, code_facts jsonb, event text, event_body text, destination text, roles text[], told_until timestamptz
) returns boolean language plpgsql as $$
declare
  holder record;
  holders int := 0;
  done text;
begin
  if credit ->> 'reference' is not null then done := lock_reference(business, credit ->> 'reference'); end if;
  perform from alerts a
  where a.merchant_id = business and a.alert_id = alert and a.verdict in ('unjudged', 'retrying') for update;
  if not found then return false; end if;
  if count_credit(business, alert, credit, moment, true) is not null then raise sqlstate 'ML001'; end if;
  done := lock_holders(business, credit);
  for holder in select * from credit_holders(business, alert, credit) loop
    holders := holders + 1;
    if (holder.order_id, holder.version) is distinct from (chosen_order, chosen_version) or holder.gate is not null then
      raise sqlstate 'ML001';
    end if;
  end loop;
  if holders <> 1 then raise sqlstate 'ML001'; end if;
  if pay_order(business, chosen_order, alert, (credit ->> 'amount')::bigint, credit ->> 'reference', moment,
    event, event_body, destination, roles, told_until) then
    raise sqlstate 'ML001';
  end if;
  done := store_verdict(business, alert, credit, 'paid', chosen_order, 3, code, code_facts, '[]', moment);
  return true;
end $$;

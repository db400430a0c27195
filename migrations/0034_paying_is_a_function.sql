-- Paying is written once, as a function of the database; so is each rule that both ways to it ask.
-- The release before may run beside it.

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
-- the year and the day of the year, some banks' with that day and 366 more. Any other digits say nothing. At a worker of
-- Citus a function finds none of ours by its bare name, so this one asks no other.
create function names_earlier_day(reference text, moment timestamptz) returns boolean language plpgsql stable as $$
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

-- R3: the order that accepts this amount at this time, with its account, its gate, and `version`, another one once a word
-- of either has changed. `holders` is 1, or more where R3 is broken.
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

-- Money that waited beside an order is to be looked at again; a taking that its order lets go of is a taking again, and
-- nothing to do.
create function release_credit(business bigint, of_order text, moment timestamptz) returns void language plpgsql as $$
declare
  opened text;
  done text;
begin
  update handled_credits h set state = 'open', done_by = 'milaan', done_at = moment, note = ''
  where h.merchant_id = business and h.order_id = of_order and h.state = 'attached'
  returning h.alert_id into opened;
  if not found then return; end if;
  done := unsettle_credit(business, opened);
  update alerts a set is_ended = true
  where a.merchant_id = business and a.alert_id = opened and a.reason_code is distinct from 'claimed_by_several'
    and exists (select from takings t where t.merchant_id = business and t.alert_id = opened);
end $$;

-- The one place where an order becomes paid: marked, its amount cleared, counted to the month, devices told, its event and
-- first delivery written. The caller found that this money is the order's, and holds alert and order locked. What was
-- counted to a month as a taking stays there, and is not counted again. True: it is a piece of a link with a stock, and
-- somebody has to see whether there was one left.
create function pay_order(
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

-- R1: the verdict about a credit, with the facts that it rests on. The judge's claim ends. A place of an array, named
-- inside the update, would end a server of Citus (13.2.2).
create function store_verdict(
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

-- The clean payment, whole or not at all: a fresh alert, counted nowhere, that pays the order which was looked up and
-- judged to be of its account; neither has changed since, and no gate keeps it from it. Locks are taken in the order of
-- the careful way, and everything is asked behind them. False, or the state ML001: not clean, and nothing is written; the
-- careful way decides.
create function pay_at_once(
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

-- Clean payments that come together share a statement and a commit, each for itself as by `pay_at_once`: one that is not
-- clean, or fails, takes back its own lines and no others. `state` says what became of it: paid, ML001 (not clean: nothing
-- of it is written), or the error, and whoever asks pays that one alone. Businesses come in one order, so that two calls
-- cannot wait for each other; and a call waits for nothing longer than a moment, so that one order in somebody's hands
-- keeps seven others from nothing.
create function pay_several(payments jsonb) returns table (place int, state text)
language plpgsql set lock_timeout = '250ms' as $$
declare
  one record;
begin
  for one in
    select p.* from jsonb_to_recordset(payments) as p (place int, business bigint, alert text, credit jsonb, chosen_order text,
      chosen_version text, moment timestamptz, code text, code_facts jsonb, event text, event_body text, destination text,
      roles text[], told_until timestamptz)
    order by p.business, p.chosen_order collate "C", p.place
  loop
    place := one.place;
    begin
      state := case when pay_at_once(one.business, one.alert, one.credit, one.chosen_order, one.chosen_version, one.moment,
        one.code, one.code_facts, one.event, one.event_body, one.destination, one.roles, one.told_until) then 'paid' else 'ML001' end;
    exception when others then
      state := sqlstate;
    end;
    return next;
  end loop;
end $$;

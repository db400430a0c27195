-- One credit in two mails (R2): numbers that may be the reference of a mail that a person read.
-- The release before may run beside it.

-- A person took this mail for an order, and nobody can say which of its numbers is the bank's reference. So none of them
-- refuses another credit; a credit that carries one waits for a person, who sees both.
create table possible_references (
  merchant_id    bigint not null,
  -- In the form in which a reference counts once.
  bank_reference text not null,
  alert_id       text not null,
  bank           text not null,
  -- The last digits of the credited account, as far as they are known.
  digits         text,
  -- A person saw the other credits with this number and said that this is another payment.
  asked          boolean not null,
  noted_at       timestamptz(3) not null,
  primary key (merchant_id, bank_reference, alert_id)
);
create index possible_references_everywhere on possible_references (bank_reference);
create index possible_references_alert on possible_references (merchant_id, alert_id);

-- Every credit that paid an order by a number that may be, or is, its reference. `asked`: see above.
create view possible_payments as
  select p.merchant_id, p.bank_reference, p.alert_id, p.bank, p.digits, p.asked from possible_references p
  union all
  select r.merchant_id, r.bank_reference, r.alert_id, r.bank, r.digits, false
  from settled_references r join alerts a on a.merchant_id = r.merchant_id and a.alert_id = r.alert_id
  where a.verdict = 'paid' and not exists (select from possible_references p
    where p.merchant_id = r.merchant_id and p.bank_reference = r.bank_reference and p.alert_id = r.alert_id);

-- The digits of the account that a credit came to, where the mail or the business's only account at that bank names them.
create function credited_digits(business bigint, of_bank text, printed_digits text) returns text
language plpgsql stable as $$
begin
  return coalesce(printed_digits, (select min(u.account_digits) from upi_accounts u
    where u.merchant_id = business and u.bank = of_bank having count(*) = 1));
end $$;

-- Whether a credit may be one that a person took for an order already: its reference is a possible one of that mail, here
-- or in another business with the same account; or one of the two has no number as long as a reference, and they agree
-- in bank, account, sum and minute. A shorter one, such as a telephone number, is kept with zeros before it.
create function maybe_counted(business bigint, credit jsonb) returns boolean language plpgsql stable as $$
declare
  reference constant text := counted_reference(credit ->> 'reference');
  own_digits text;
begin
  if exists (select from possible_references p where p.bank_reference = reference) then
    own_digits := credited_digits(business, credit ->> 'bank', credit ->> 'digits');
    if exists (select from possible_references p
      where p.bank_reference = reference and (p.merchant_id = business
        or (p.bank = credit ->> 'bank' and same_account(p.digits, own_digits)))) then
      return true;
    end if;
  end if;
  return exists (select from alerts a
    where a.merchant_id = business and a.amount_paise = (credit ->> 'amount')::bigint and a.bank_reference is null
      and a.verdict = 'paid' and a.reason_code = 'accepted' and a.bank = credit ->> 'bank'
      and coalesce(a.account_digits = credit ->> 'digits', true)
      and coalesce(a.printed_at = credit ->> 'printed_at',
        a.alert_time between (credit ->> 'alert_time')::timestamptz - interval '3 minutes'
          and (credit ->> 'alert_time')::timestamptz + interval '3 minutes')
      and (reference is null or not exists (select from possible_references p
        where p.merchant_id = a.merchant_id and p.alert_id = a.alert_id and p.bank_reference !~ '^0')));
end $$;

-- As in migration 34, with one gate more: `maybe_counted`.
create or replace function credit_gate(
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
  if maybe_counted(business, credit) then return 'maybe_counted'; end if;
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

-- What a credit may be known by: the numbers that are given, or its reference and those that were noted of it.
create function credit_names(business bigint, alert text, given text[]) returns text[] language plpgsql stable as $$
begin
  return array(select distinct counted_reference(n) collate "C" from unnest(coalesce(given,
      (select array_agg(p.bank_reference) from possible_references p where p.merchant_id = business and p.alert_id = alert)
      || (select a.bank_reference from alerts a where a.merchant_id = business and a.alert_id = alert))) n
    where n is not null order by 1);
end $$;

-- Credits that may be the same payment as this one: with one of its names, or of the same bank, account, sum and minute.
-- Without `names` and `sums` they are what was read, and credits that a reference of their own keeps apart are left out, as
-- are held mails. For a mail that a person reads the held ones of that minute are among them whatever their sum, which
-- nobody knows. `asks`: it settled something and no reference keeps the two apart, so a person has to say that they are
-- two payments. Of another business only `elsewhere` is said.
create function credit_twins(business bigint, alert text, names text[], sums bigint[])
returns table (alert_id text, order_id text, verdict text, amount_paise bigint, alert_time timestamptz, asks boolean)
language plpgsql stable as $$
declare
  near constant interval := interval '3 minutes';
  own_names constant text[] := credit_names(business, alert, names);
  own record;
  own_digits text;
begin
  select a.bank, a.account_digits, a.alert_time, a.printed_at, coalesce(sums, array[a.amount_paise]) as sums
  into own from alerts a where a.merchant_id = business and a.alert_id = alert;
  return query
    with shared as (
      select r.alert_id from counted_references r where r.merchant_id = business and r.bank_reference = any (own_names)
      union select p.alert_id from possible_references p
      where p.merchant_id = business and p.bank_reference = any (own_names)
    ), found as (
      select s.alert_id, true as shares from shared s
      union all
      select a.alert_id, false from alerts a
      where a.merchant_id = business and a.bank = own.bank
        and a.alert_time between own.alert_time - near and own.alert_time + near
        and a.arrived_at between own.alert_time - near and own.alert_time + interval '1 day'
        and coalesce(a.account_digits = own.account_digits, true) and coalesce(a.printed_at = own.printed_at, true)
        and (a.amount_paise = any (own.sums) and a.verdict in ('paid', 'no_order', 'too_late', 'extra_payment')
          or names is not null and a.verdict = 'unreadable' and a.recipient is not null)
        and a.alert_id not in (select s.alert_id from shared s)
    ), alike as (
      select f.alert_id, f.shares or a.bank_reference is null or own_names = '{}' as is_alike
      from found f left join alerts a on a.merchant_id = business and a.alert_id = f.alert_id
      where f.alert_id <> alert
    )
    select l.alert_id, a.order_id, a.verdict, a.amount_paise, a.alert_time::timestamptz,
      l.is_alike and coalesce(a.verdict = 'paid' or a.is_ended or exists (select from handled_credits h
        where h.merchant_id = business and h.alert_id = l.alert_id and h.state <> 'open'
          and (h.state <> 'attached' or h.done_by <> 'milaan')), true)
    from alike l left join alerts a on a.merchant_id = business and a.alert_id = l.alert_id
    where l.is_alike or names is not null
    order by 6 desc, 5 limit 50;
  own_digits := credited_digits(business, own.bank, own.account_digits);
  if exists (select from possible_references p
      where p.bank_reference = any (own_names) and p.merchant_id <> business and p.bank = own.bank
        and same_account(p.digits, own_digits))
    -- A reference that was read refuses by itself.
    or names is not null and exists (select from settled_references r
      where r.bank_reference = any (own_names) and r.merchant_id <> business and r.bank = own.bank
        and same_account(r.digits, own_digits)) then
    return query select 'elsewhere', null::text, null::text, null::bigint, null::timestamptz, true;
  end if;
end $$;

-- A person takes a credit for an order. True: it has a twin that they were not shown (`seen`), and nothing is written.
-- Otherwise credits that carry one of its names wait from now on. The names are locked in ascending order: call it before
-- the alert is locked. They are not locked in other businesses, whose rows are locked before `settled_elsewhere` is asked:
-- two businesses that take one credit at the very same moment are found by `verify`.
create function ask_about_twins(business bigint, alert text, names text[], sums bigint[], seen text[], moment timestamptz)
returns boolean language plpgsql as $$
declare
  own_names constant text[] := credit_names(business, alert, names);
  own record;
  own_digits text;
  asking text[];
  name text;
  locked text;
begin
  select a.bank, a.account_digits into own from alerts a where a.merchant_id = business and a.alert_id = alert;
  foreach name in array own_names loop
    locked := lock_reference(business, name);
  end loop;
  asking := array(select t.alert_id from credit_twins(business, alert, names, sums) t where t.asks);
  if not asking <@ seen then return true; end if;
  if names is null and asking = '{}' then return false; end if;
  own_digits := credited_digits(business, own.bank, own.account_digits);
  insert into possible_references (merchant_id, bank_reference, alert_id, bank, digits, asked, noted_at)
  select business, n, alert, own.bank, own_digits, asking <> '{}', moment from unnest(own_names) n
  on conflict do nothing;
  return false;
end $$;

-- Credits that may be the same payment as this one.
-- They have one of its names, or the same bank, account, sum and minute. Another institution may report the same
-- credit, with the same sum and with no reference, or one that differs in one digit. Without `names` and `sums` these are what was
-- read. Then held mails are left out, and so are credits with a different reference of their own. For a mail that a
-- person reads, the minute's held mails are included whatever their sum, which nobody knows. `asks`: the other settled
-- something and no reference separates the two, so a person must say that they are two payments. Another business's
-- credit is only shown as `elsewhere`.
create or replace function credit_twins(business bigint, alert text, names text[], sums bigint[])
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
      where a.merchant_id = business
        and a.alert_time between own.alert_time - near and own.alert_time + near
        and a.arrived_at between own.alert_time - near and own.alert_time + interval '1 day'
        and (a.bank <> own.bank or a.bank = own.bank
          and coalesce(a.account_digits = own.account_digits, true) and coalesce(a.printed_at = own.printed_at, true))
        and (a.amount_paise = any (own.sums) and a.verdict in ('paid', 'no_order', 'too_late', 'extra_payment')
          or names is not null and a.verdict = 'unreadable' and a.recipient is not null)
        and a.alert_id not in (select s.alert_id from shared s)
    ), alike as (
      select f.alert_id, f.shares or a.bank_reference is null or own_names = '{}' or a.bank <> own.bank
          and exists (select from unnest(own_names) n where one_digit_apart(a.bank_reference, n)) as is_alike
      from found f left join alerts a on a.merchant_id = business and a.alert_id = f.alert_id
      where f.alert_id <> alert
    )
    select l.alert_id, a.order_id, a.verdict, a.amount_paise, a.alert_time::timestamptz,
      l.is_alike and coalesce(a.verdict = 'paid' or a.is_ended or exists (select from handled_credits h
        where h.merchant_id = business and h.alert_id = l.alert_id and has_settled(h.state, h.done_by)), true)
    from alike l left join alerts a on a.merchant_id = business and a.alert_id = l.alert_id
    where l.is_alike or names is not null
    order by 6 desc, 5 limit 50;
  own_digits := credited_digits(business, own.bank, own.account_digits);
  if exists (select from possible_references p
      where p.bank_reference = any (own_names) and p.merchant_id <> business and p.bank = own.bank
        and same_account(p.digits, own_digits))
    -- A reference that was read is refused by itself.
    or names is not null and exists (select from settled_references r
      where r.bank_reference = any (own_names) and r.merchant_id <> business and r.bank = own.bank
        and same_account(r.digits, own_digits)) then
    return query select 'elsewhere', null::text, null::text, null::bigint, null::timestamptz, true;
  end if;
end $$;

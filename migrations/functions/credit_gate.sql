-- Why a credit must not pay this order by itself, or null.
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
  -- The owner accepts fresh payments only. Somebody else may still pay this amount, and this customer gave no sign of
  -- paying.
  if fresh_only and seen_at is not null
    and coalesce(intent_at < (credit ->> 'alert_time')::timestamptz - (credit ->> 'fresh')::interval, true) then
    if exists (select from amounts a where a.merchant_id = business and a.payable_paise = payable and a.order_id = holder
      and a.doubted_until > (credit ->> 'alert_time')::timestamptz) then
      return 'not_fresh';
    end if;
  end if;
  if coalesce(credit ->> 'trust', '') not in ('confirmed', 'trial') then return 'waits_review_only'; end if;
  -- The number of payments only grows, so an outdated read may make a payment wait, but never lets one pass too early.
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

-- Whether a person may already have taken this credit for an order.
-- Its reference is a possible one of that mail, here or in another business with the same account. Or one of the two
-- has no number as long as a reference, and they agree in bank, account, sum and minute. A shorter number, such as a
-- telephone number, is stored with zeros before it.
create or replace function maybe_counted(business bigint, credit jsonb) returns boolean language plpgsql stable as $$
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

-- The credited account's digits, if the mail or the business's only account at that bank names them.
create or replace function credited_digits(business bigint, of_bank text, printed_digits text) returns text
language plpgsql stable as $$
begin
  return coalesce(printed_digits, (select min(u.account_digits) from upi_accounts u
    where u.merchant_id = business and u.bank = of_bank having count(*) = 1));
end $$;

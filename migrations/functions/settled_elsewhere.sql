-- Whether a credit with this reference has settled something in another business with the same account.
-- Erased references count too: `mark` is an erased one's hash. A credit that has settled nothing gives way. Businesses
-- that ask about one reference take turns until they commit, and each looks again. Usually no other business has
-- counted the reference, so that is checked first.
create or replace function settled_elsewhere(business bigint, of_bank text, reference text, printed_digits text, mark text) returns boolean
language plpgsql as $$
declare
  locked text;
begin
  locked := pg_advisory_xact_lock(hashtextextended(reference, 7264253));
  if not exists (select from counted_references r
    where r.bank_reference = reference and (r.merchant_id <> business or r.settled_elsewhere)) then
    if mark is null then return false; end if;
    if not exists (select from counted_references r where r.bank_reference = mark and r.merchant_id <> business) then
      return false;
    end if;
  end if;
  return exists (select from counted_references r
      where r.merchant_id = business and r.bank_reference = reference and r.settled_elsewhere)
    or exists (
      select from settled_references r
      where r.bank_reference in (reference, mark) and r.bank = of_bank and r.merchant_id <> business
        and same_account(r.digits, coalesce(printed_digits, (
          select min(u.account_digits) from upi_accounts u where u.merchant_id = business and u.bank = of_bank
          having count(*) = 1))));
end $$;

-- For a credit that was counted here before. Its own row says what another business erased since.
create or replace function settled_elsewhere(business bigint, of_bank text, reference text, printed_digits text) returns boolean
language plpgsql as $$
begin
  return settled_elsewhere(business, of_bank, reference, printed_digits, null);
end $$;

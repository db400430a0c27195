-- One credit pays in one business: a bank reference counts once in the installation per bank and recorded account (R2).
-- The release before may run beside it.

create index counted_references_everywhere on counted_references (bank_reference);

-- References of credits that paid an order or that a person has decided about, with the account that they are known to
-- be about. What the program attached by itself waits for a person, and has settled nothing.
create view settled_references as
  select r.merchant_id, r.bank_reference, r.alert_id, a.bank, coalesce(u.account_digits, a.account_digits) as digits
  from counted_references r
    join alerts a on a.merchant_id = r.merchant_id and a.alert_id = r.alert_id
    left join orders o on o.merchant_id = a.merchant_id and o.order_id = a.order_id
    left join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
  where a.verdict = 'paid' or exists (select from handled_credits h
    where h.merchant_id = a.merchant_id and h.alert_id = a.alert_id and h.state <> 'open'
      and (h.state <> 'attached' or h.done_by <> 'milaan'));

-- Digits agree as far as both are known, as an alert's agree with an account's (R13).
create function same_account(one text, other text) returns boolean language sql immutable as $$
  select coalesce(right(one, length(other)) = right(other, length(one)), true)
$$;

-- Whether a credit with this reference has settled something in another business whose account it is too. What has settled
-- nothing gives way. Businesses that ask about one reference take turns until they have committed, and each looks anew.
create function settled_elsewhere(business bigint, of_bank text, reference text, printed_digits text) returns boolean
language plpgsql as $$
declare
  locked text;
begin
  locked := pg_advisory_xact_lock(hashtextextended(reference, 7264253));
  return exists (
    select from settled_references r
    where r.bank_reference = reference and r.bank = of_bank and r.merchant_id <> business
      and same_account(r.digits, coalesce(printed_digits, (
        select min(u.account_digits) from upi_accounts u where u.merchant_id = business and u.bank = of_bank
        having count(*) = 1))));
end $$;

-- Only the shop's own bank pays (R13), and no mail pays an order that was created after it arrived (R14).

-- The id of a bank's file. Null: not told yet, and then no alert pays an order on the account.
alter table upi_accounts add column bank text;
-- Since when bank and digits are these; what was paid before was held against others.
alter table upi_accounts add column bank_named_at timestamptz(3);

-- Accounts of before are at the bank that has paid their orders so far, where that was one bank and one account.
update upi_accounts u set bank = p.bank, account_digits = coalesce(u.account_digits, p.digits)
from (
  select o.merchant_id, o.account_id, min(a.bank) as bank, right(min(a.account_digits), 6) as digits
  from orders o join alerts a on a.merchant_id = o.merchant_id and a.alert_id = o.alert_id
  where o.status = 'paid'
  group by o.merchant_id, o.account_id
  having count(distinct (a.bank, a.account_digits)) = 1) p
where u.merchant_id = p.merchant_id and u.account_id = p.account_id;

update upi_accounts u set bank_named_at = greatest(u.created_at, (
  select max(o.paid_at) + interval '1 millisecond' from orders o
  where o.merchant_id = u.merchant_id and o.account_id = u.account_id));
alter table upi_accounts alter column bank_named_at set not null;

-- A payment that met no order is not held against later orders any more.
update alerts set next_try_at = null where verdict = 'no_order' and next_try_at is not null;

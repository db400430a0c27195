-- Several databases without claims in the first one: what waits there for a person, and what has settled, said once.
-- The release before may run beside it where there is one database.

-- The business of another cell that has this bank account too, and whose account a genuine credit reached first: then
-- payments to this one wait for a person (R2). 0: the other cells were not asked yet. Null: none has it, or there is one
-- database.
alter table upi_accounts add column same_as bigint;
create index upi_accounts_unasked on upi_accounts (merchant_id) where same_as = 0;
-- Another cell asks by these.
create index upi_accounts_vpa on upi_accounts (lower(vpa));
create index upi_accounts_digits on upi_accounts (bank, account_digits);
-- Release 0.2.0 compared no accounts of several cells.
update upi_accounts set same_as = 0 where exists (select from placed where last_id is not null);

-- Whether what became of a credit has settled it for all. What the program attached by itself waits for a person.
create function has_settled(state text, done_by text) returns boolean language sql immutable as $$
  select state <> 'open' and (state <> 'attached' or done_by <> 'milaan')
$$;

create or replace view settled_references as
  select r.merchant_id, r.bank_reference, r.alert_id, a.bank, coalesce(u.account_digits, a.account_digits) as digits
  from counted_references r
    join alerts a on a.merchant_id = r.merchant_id and a.alert_id = r.alert_id
    left join orders o on o.merchant_id = a.merchant_id and o.order_id = a.order_id
    left join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
  where a.verdict = 'paid' or exists (select from handled_credits h
    where h.merchant_id = a.merchant_id and h.alert_id = a.alert_id and has_settled(h.state, h.done_by));

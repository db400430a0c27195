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

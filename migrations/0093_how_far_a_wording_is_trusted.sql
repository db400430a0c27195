-- A bank's word goes as far as its wording is known: the first payments by a new one, and those above an owner's ceiling, wait.
-- The release before may run beside it.

-- Payments by a wording that somebody of the business found in the account. From three on it pays by itself.
create table template_payments (
  merchant_id bigint not null references merchants,
  bank        text not null,
  template    text not null,
  payments    int not null,
  primary key (merchant_id, bank, template)
);
-- Whom a wording has paid before is past its trial.
insert into template_payments (merchant_id, bank, template, payments)
select merchant_id, bank, template, 3 from alerts
where verdict = 'paid' and bank is not null and template is not null
group by merchant_id, bank, template;

-- Last, because they stop others until the end: what is above may read many rows.
alter table upi_accounts
  -- Above this sum an exact alert waits for a person; null: none does.
  add column review_above_paise bigint check (review_above_paise > 0),
  -- When it was set: orders that were created later keep to it.
  add column review_above_since timestamptz(3);

-- How far the word of its wording went when the alert met its order: confirmed, trial or review_only.
alter table alerts add column trust text;

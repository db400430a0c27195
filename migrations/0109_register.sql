-- A register by month and UPI account has to know of orders that were deleted too.
-- The release before may run beside it.

-- What deleted orders were paid, by the month of their payment in India; not of those that a taking paid, which stays
-- counted as such. `collections.removed_paise` has the same money without accounts, and what was deleted before this.
create table removed_orders (
  merchant_id   bigint not null references merchants,
  month         date not null,
  account_id    text not null,
  orders        bigint not null,
  paise         bigint not null,
  -- Of them, what a statement did not have.
  missing       bigint not null,
  missing_paise bigint not null,
  primary key (merchant_id, month, account_id)
);

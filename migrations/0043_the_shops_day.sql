-- The shop's day: a wrong amount at the counter, the wall's QR code, money given back, cashiers by phone.
-- The release before may run beside it.

-- A person at the counter accepts a difference below three rupees with one tap, for orders below this sum. Null: never.
alter table merchants add column one_tap_below_paise bigint default 200000 check (one_tap_below_paise > 0);

-- Somebody answered whether payments without an order are announced, or chose it before. Then nobody is asked again.
alter table upi_accounts add column takings_asked boolean not null default false;
update upi_accounts set takings_asked = true where counts_takings;

-- What a shop gave back of a paid order, as a person noted it. The program never moves money, and the order stays paid.
create table refunds (
  merchant_id  bigint not null references merchants on delete cascade,
  order_id     text not null,
  refund_id    text not null,
  -- The order's account. The row outlives its order, so that a month's sums stay.
  account_id   text not null,
  -- All of an order are together at most what it received.
  amount_paise bigint not null check (amount_paise > 0),
  done_by      text not null,
  done_at      timestamptz(3) not null,
  primary key (merchant_id, order_id, refund_id)
);
create index refunds_done on refunds (merchant_id, done_at desc, order_id desc, refund_id desc);
select expect_large_businesses('refunds');

-- A cashier joins by phone and needs no mail address: the name that the team sees, and the only role of such a person.
alter table users add column name text;
-- The name of somebody whom the link lets in without a mail address; null: the link is for `email`.
alter table account_links add column person text;
-- `.invalid` never exists, so no mail can warn such a person, or bring back a password.
alter table users add constraint users_without_mail check (role = 'cashier' or email not like '%@phone.invalid');

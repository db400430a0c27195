-- What a shop gave back of a paid order, as a person noted it. The program never moves money, and the order stays paid.
-- The release before may run beside it.

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

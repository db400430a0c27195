-- What the bank's own statement says of an order that was paid: it confirms it, or does not have it. It undoes nothing.
-- The release before may run beside it.

create table statement_marks (
  merchant_id bigint not null,
  order_id    text not null,
  -- The alert that paid the order.
  alert_id    text not null,
  bank        text not null,
  -- Of that alert, in India.
  day         date not null,
  -- confirmed: a line of a statement is this payment. missing: a statement that covers its days has no such line.
  -- vouched: it was missing, and a person says that it is in the account.
  state       text not null check (state in ('confirmed', 'missing', 'vouched')),
  -- The reference, or account, day, sum and which of its like it is: one line confirms one order.
  line_key    text,
  line_day    date,
  line_paise  bigint,
  line_text   text,
  marked_by   text not null,
  marked_at   timestamptz(3) not null,
  primary key (merchant_id, order_id),
  -- A mark leaves with its order, also where the release before removes it.
  foreign key (merchant_id, order_id) references orders on delete cascade,
  check ((state = 'confirmed') = (line_key is not null and line_day is not null and line_paise is not null))
);
create unique index statement_marks_line on statement_marks (merchant_id, bank, line_key) where line_key is not null;
-- Few, and asked for by each look at Home.
create index statement_marks_missing on statement_marks (merchant_id, marked_at) where state = 'missing';
create index statement_marks_by_bank on statement_marks (bank, day) where state = 'missing';

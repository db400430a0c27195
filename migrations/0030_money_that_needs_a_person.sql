-- Money that needs a person: what became of it, what customers say they sent, money without an order, and the bank's statement.
-- The release before may run beside it.

alter table merchants
  -- Whether a plain slip moves its order to `manual_review` by itself. Off: the specification leaves that open.
  add column hold_near_misses boolean not null default false,
  -- On an amount that is not clear, pay by itself only what the customer has just set about: the owner's choice.
  add column fresh_only boolean not null default false,
  -- The business's own webhook address, for events that belong to no order.
  add column webhook_url text,
  -- Events beyond `payment.paid` that the business asked for.
  add column wanted_events text[] not null default '{}'
    check (wanted_events <@ array['payment.review', 'payment.unmatched']);

-- What became of a genuine credit that paid no order by itself (R16). No row: nobody has looked at it yet.
create table handled_credits (
  merchant_id bigint not null,
  alert_id    text not null,
  -- attached: its order waits in `manual_review`. accepted: it paid its order. to_give_back: its order was declined.
  -- open: to look at again, after an undo or when its order was paid by an exact payment.
  state       text not null check (state in ('open', 'attached', 'accepted', 'to_give_back', 'given_back', 'kept')),
  order_id    text,
  -- A plain slip, the customer's reference, or a person brought the two together. `exact`: the very sum of the order,
  -- which something kept from paying it by itself.
  found_by    text check (found_by in ('slip', 'reference', 'person', 'exact')),
  -- Who did the last step, a mail address or `milaan`, when and why.
  done_by     text not null,
  done_at     timestamptz(3) not null,
  note        text not null default '',
  -- Of the payment that gave it back, as the bank's app shows it.
  return_reference text,
  primary key (merchant_id, alert_id),
  foreign key (merchant_id, alert_id) references alerts on delete cascade,
  check (state not in ('attached', 'accepted', 'to_give_back') or order_id is not null)
);
-- One order waits for at most one credit and is paid by at most one.
create unique index handled_credits_order on handled_credits (merchant_id, order_id) where state in ('attached', 'accepted');
create index handled_credits_done on handled_credits (merchant_id, done_at desc, alert_id desc);
create index handled_credits_of_order on handled_credits (merchant_id, order_id) where order_id is not null;
-- Every step that people took with a payment.
create index audit_log_credits on audit_log (merchant_id, subject) where action like 'credit.%';

-- References that customers typed on the payment page, in the form in which they count once. They pay nothing.
create table claimed_references (
  merchant_id    bigint not null,
  order_id       text not null,
  bank_reference text not null,
  claimed_at     timestamptz(3) not null,
  primary key (merchant_id, order_id, bank_reference)
);
create index claimed_references_reference on claimed_references (merchant_id, bank_reference);

-- Money that comes without an order, to an account whose owner wants it so: row 8 of the table. As it was counted to its
-- month, once. What has become of it since is in `handled_credits`, as of any other credit.
create table takings (
  merchant_id  bigint not null references merchants,
  alert_id     text not null,
  account_id   text not null,
  amount_paise bigint not null check (amount_paise > 0),
  counted_at   timestamptz(3) not null,
  primary key (merchant_id, alert_id)
);
create index takings_counted on takings (merchant_id, counted_at);
alter table upi_accounts add column counts_takings boolean not null default false;

-- Which column of a bank's statement holds what, where a person had to say so: remembered for the next file.
create table statement_columns (
  merchant_id bigint not null references merchants,
  bank        text not null,
  columns     jsonb not null,
  primary key (merchant_id, bank)
);

-- What the bank's own statement says of an order that was paid: it confirms it, or does not have it. It undoes nothing.
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
  -- A mark leaves with its order.
  foreign key (merchant_id, order_id) references orders on delete cascade,
  check ((state = 'confirmed') = (line_key is not null and line_day is not null and line_paise is not null))
);
create unique index statement_marks_line on statement_marks (merchant_id, bank, line_key) where line_key is not null;
-- Few, and asked for by each look at Home.
create index statement_marks_missing on statement_marks (merchant_id, marked_at) where state = 'missing';
create index statement_marks_by_bank on statement_marks (bank, day) where state = 'missing';

-- Who wants the day by mail, and at which hour of India's clock.

create table daily_summaries (
  merchant_id bigint not null,
  user_id     text not null,
  hour        int not null check (hour between 0 and 23),
  -- Whether a day with nothing to tell is told too.
  even_empty  boolean not null,
  -- Moved on in the transaction that writes the mail: each day is told once, whoever looks.
  next_at     timestamptz(3) not null,
  primary key (merchant_id, user_id),
  foreign key (merchant_id, user_id) references users (merchant_id, user_id) on delete cascade
);
create index daily_summaries_due on daily_summaries (next_at);

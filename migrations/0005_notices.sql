-- What the owner of a business must know: shown on the dashboard, and mailed where the operator set up SMTP.

create table notices (
  merchant_id bigint not null references merchants,
  notice_id   bigint generated always as identity,
  kind        text not null,
  subject     text not null,
  text        text not null,
  -- The same thing told twice is told once.
  dedupe_key  text not null,
  created_at  timestamptz(3) not null,
  seen_at     timestamptz(3),
  -- When the mail is tried next, and while it is being tried the end of that lease; null once sent or given up.
  next_try_at timestamptz(3),
  tries       int not null default 0,
  sent_at     timestamptz(3),
  failure     text,
  primary key (merchant_id, notice_id)
);
create unique index notices_once on notices (merchant_id, dedupe_key);
create index notices_due on notices (next_try_at) where next_try_at is not null;

-- Plans that are sold, in days and never in money, and what an operator of many businesses needs: halts, terms, notes, reports.
-- The release before may run beside it.

-- Plans are written by `milaan plans apply` and by the first start alone; a business can be made before that.
insert into plans (plan) select 'standard' where not exists (select from plans);

alter table plans
  -- By language. Null: the plan's name.
  add column title jsonb,
  -- Both or neither: a plan that is not for sale has no price.
  add column price_paise bigint check (price_paise > 0),
  add column period_days int check (period_days > 0),
  add constraint plans_for_sale check ((price_paise is null) = (period_days is null));

alter table merchants
  -- The one business of which the others buy their plans.
  add column sells_plans boolean not null default false,
  -- What stands on receipts beside the name.
  add column receipt_address text,
  add column gstin text,
  -- With `disabled_at` and this, creating answers 403 and everything else goes on. The release before sees a disabled
  -- business, which is the more careful of the two.
  add column no_new_orders boolean not null default false,
  add column disabled_reason text not null default '',
  add column terms_version text,
  add column terms_accepted_at timestamptz,
  -- Until then an operator may look at the screens of the business: its owner said so.
  add column look_until timestamptz,
  -- When the mail went to operators that it waits for their word.
  add column word_asked_at timestamptz,
  -- How many of its accounts were paused by the plan when its owner was last told.
  add column paused_told int not null default 0;
create unique index merchants_seller on merchants (sells_plans) where sells_plans;

-- The business whose screens an operator looks at in this session, by the very permission that ends then.
alter table sessions add column looks_at bigint, add column looks_until timestamptz;

-- An order of the seller by which a plan is bought, written with the order; whether it is paid the order says. It keeps
-- what a receipt needs of the buyer, because they may leave and the seller's books may not.
create table sales (
  merchant_id    bigint not null references merchants on delete cascade,
  order_id       text not null,
  buyer_id       bigint not null,
  buyer          jsonb not null,
  plan           text not null,
  title          jsonb not null,
  price_paise    bigint not null check (price_paise > 0),
  days           int not null check (days > 0),
  -- The unused days of what the buyer had, as they were shown, and after how many changes of their terms.
  carried_days   int not null check (carried_days >= 0),
  after_changes  int not null,
  made_by        text not null,
  created_at     timestamptz(3) not null,
  -- From when it was seen to be paid on: numbers without gaps, and what was received.
  receipt_number int,
  seller         jsonb,
  received_paise bigint,
  paid_at        timestamptz(3),
  bank_reference text,
  -- The buyer has the term.
  applied_at     timestamptz(3),
  primary key (merchant_id, order_id)
);
create unique index sales_receipts on sales (merchant_id, receipt_number);
create index sales_open on sales (merchant_id, order_id) where applied_at is null;
create index sales_buyer on sales (buyer_id, created_at);

-- What a business has of what it bought, by the order that paid for it: a plan from a moment until another. One follows
-- the other, so that at most one runs; `merchants.plan` is moved when one begins and when the last is over.
create table terms (
  merchant_id  bigint not null references merchants on delete cascade,
  order_id     text not null,
  plan         text not null,
  title        jsonb not null,
  price_paise  bigint not null check (price_paise > 0),
  days         int not null check (days > 0),
  carried_days int not null check (carried_days >= 0),
  starts_at    timestamptz(3) not null,
  ends_at      timestamptz(3) not null check (ends_at >= starts_at),
  -- When the business was put on its plan.
  begun_at     timestamptz(3),
  -- Why it ended before its days were over: the order whose term took them, or `operator`.
  ended_by     text,
  -- The last thing its owner was told: 1 a week before, 2 a day before, 3 on the day.
  told         smallint not null default 0,
  -- Nothing more comes of it: another one runs, or the business is back on the default plan.
  is_over      boolean not null default false,
  receipt      jsonb not null,
  created_at   timestamptz(3) not null,
  primary key (merchant_id, order_id)
);
create index terms_open on terms (ends_at) where not is_over;

-- Both go with their business also where the release before deletes it.
create table business_notes (
  merchant_id bigint not null references merchants on delete cascade,
  note_id bigint generated always as identity,
  written_at timestamptz not null,
  author text not null,
  note text not null,
  primary key (merchant_id, note_id)
);

-- One for each payment page: what is said of it later is added.
create table page_reports (
  merchant_id bigint not null references merchants on delete cascade,
  order_id text not null,
  reported_at timestamptz not null,
  note text not null,
  mailed_at timestamptz,
  settled_at timestamptz,
  settled_by text,
  primary key (merchant_id, order_id)
);
create index page_reports_open on page_reports (reported_at) where settled_at is null;
create index page_reports_mailed on page_reports (mailed_at) where mailed_at is not null;

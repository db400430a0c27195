-- What an operator of many businesses needs: a halt with its reason, terms agreed to, notes, an hour's look, reports of pages.
-- The release before may run beside it.

-- With `disabled_at` and this, creating answers 403 and everything else goes on. The release before sees a disabled
-- business, which is the more careful of the two.
alter table merchants
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

-- The business whose screens an operator looks at in this session, by the very permission that ends then.
alter table sessions add column looks_at bigint, add column looks_until timestamptz;

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

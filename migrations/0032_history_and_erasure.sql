-- What is kept and for how long: a window hides before anything is deleted, owners choose, and a person's data can be erased.
-- The release before may not run beside it.

-- Work that one process does at a time. Times are the database's own: the hosts' clocks may disagree.
create table leases (
  name         text primary key,
  holder       text not null,
  leased_until timestamptz(3) not null
);

-- Written again and again, as `collections` are: room beside the rows for that.
create table history_progress (
  merchant_id bigint primary key references merchants,
  -- Where the next step of a business goes on: orders up to here stand in an archive.
  archived_to timestamptz(3) not null default '-infinity',
  archived_id text not null default '',
  -- The window by which things are deleted: it grows with the plan at once and shrinks two weeks after it, for a typo in a
  -- plan must lose nothing. Null: no end.
  kept_days   int,
  -- The plan's own, when it was last looked at.
  window_days int,
  -- Since when the plan's is shorter than kept_days, and has not become shorter still.
  shrank_at   timestamptz(3),
  -- What is deleted before its order, in days by its name, as it was last seen; since when it rests; when it was last
  -- done; and up to which moment the bytes of mails and of events may be gone.
  early       jsonb not null default '{}',
  early_since timestamptz(3),
  early_at    timestamptz(3),
  mails_gone_to  timestamptz(3),
  bodies_gone_to timestamptz(3)
) with (fillfactor = 50);
create index history_progress_shrinking on history_progress (merchant_id) where shrank_at is not null;
insert into history_progress (merchant_id, kept_days, window_days)
  select m.merchant_id, p.history_days, p.history_days from merchants m join plans p on p.plan = m.plan;
alter table collections set (fillfactor = 50);

alter table merchants
  -- Set when the rows of a business that left begin to go, in many small steps; until its own row goes last, nobody
  -- expects the rest of them to agree with each other.
  add column removal_began_at timestamptz(3),
  -- How long mails, claims, webhook bodies and archives are kept, in days: base/what-is-kept.ts has the names. The
  -- operator's bounds stand above it.
  add column keeps jsonb not null default '{}';

-- An order that is decided after it was archived is archived anew: the archive goes on from there.
create function archive_anew(business bigint, was_created_at timestamptz) returns void language plpgsql as $$
declare
  before constant timestamptz := was_created_at - interval '1 millisecond';
begin
  update history_progress h set archived_to = before, archived_id = ''
  where h.merchant_id = business and h.archived_to >= was_created_at;
end $$;

-- Also where somebody changes an order by hand.
create function archive_again() returns trigger language plpgsql as $$
begin
  update history_progress set archived_to = new.created_at - interval '1 millisecond', archived_id = ''
  where merchant_id = new.merchant_id and archived_to >= new.created_at;
  return null;
end $$;
create trigger archive_again after update of archived_at on orders
  for each row when (old.archived_at is not null and new.archived_at is null) execute function archive_again();

-- What deleted orders were paid, by the month of their payment in India and account, for the register; not of those that
-- a taking paid, which stays counted as such. `collections.removed_paise` has the same money without accounts, and what
-- was deleted before this.
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

-- How often a key read orders on a day in India.
create table key_reads (
  merchant_id bigint not null references merchants,
  key_id      text not null,
  day         date not null,
  reads       bigint not null check (reads > 0),
  primary key (merchant_id, key_id, day)
);
create index key_reads_day on key_reads (day);

-- What a business knows of a person can be erased: one row per request. Only what was written before `asked_at` is erased.
create table erasures (
  merchant_id bigint not null,
  erasure_id  text not null,
  asked_at    timestamptz(3) not null,
  -- A mail address; `list` where the list outside the database knew of it and the database did not: a backup was restored.
  asked_by    text not null,
  -- What was asked for, as HMACs under a key that is not here in the clear: they find it again after a restore.
  marks       text[] not null,
  -- The same as it was typed, sealed, while there is something left to erase. Null: only the marks are known.
  sealed      text,
  -- Mails about earlier payments may come late: it is looked again until then.
  watch_until timestamptz(3) not null,
  -- When it is looked again; null once it is over.
  next_at     timestamptz(3),
  -- When everything that was decided by then was gone, for the first time.
  erased_at   timestamptz(3),
  done_at     timestamptz(3),
  -- What was erased, what waits and for what, and what stays and why.
  report      jsonb not null default '{}',
  primary key (merchant_id, erasure_id)
);
create index erasures_next on erasures (next_at) where next_at is not null;

-- The key of the marks, sealed with SECRET_KEY, for all who count references; 0 is the installation. Whoever never erased
-- anything has none.
create table erasure_keys (
  merchant_id bigint primary key check (merchant_id = 0),
  sealed      text not null
);

-- By which request a row was emptied.
alter table alerts add column erasure_id text;
alter table orders add column erasure_id text;
alter table events add column erasure_id text;
create index alerts_erased on alerts (merchant_id, erasure_id) where erasure_id is not null;
create index orders_erased on orders (merchant_id, erasure_id) where erasure_id is not null;

-- Another business settled something by this reference, and erased it since (R2).
alter table counted_references add column settled_elsewhere boolean not null default false;

-- What a person said in words about a deed: beside the audit log, whose rows can never change. The row has a hash of it
-- with this salt, so that a change shows and what is gone cannot be guessed.
create table audit_notes (
  merchant_id bigint not null,
  seq         bigint not null,
  salt        bytea not null,
  words       text not null,
  primary key (merchant_id, seq)
);

-- An owner chooses how long mails, claims, webhook bodies and archives are kept; and reads by a key are counted by day.
-- The release before may run beside it.

-- In days, by what is kept: base/what-is-kept.ts has the names. The operator's bounds stand above it.
alter table merchants add column keeps jsonb not null default '{}';

-- What is deleted before its order, in days by its name, as it was last seen; since when it rests; when it was last
-- done; and up to which moment the bytes of mails and of events may be gone.
alter table history_progress
  add column early jsonb not null default '{}',
  add column early_since timestamptz(3),
  add column early_at timestamptz(3),
  add column mails_gone_to timestamptz(3),
  add column bodies_gone_to timestamptz(3);

-- How often a key read orders on a day in India.
create table key_reads (
  merchant_id bigint not null references merchants,
  key_id      text not null,
  day         date not null,
  reads       bigint not null check (reads > 0),
  primary key (merchant_id, key_id, day)
);
create index key_reads_day on key_reads (day);

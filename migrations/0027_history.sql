-- History: raw mails in partitions of a week, how far each business's archive has come, and who keeps history now (decision 34).

-- The bytes of a mail as it came, compressed, apart from what was read from it: they are large and leave by age alone.
create table raw_mails (
  merchant_id bigint not null,
  alert_id    text not null,
  -- That of the alert: it says in which partition the mail is.
  arrived_at  timestamptz(3) not null,
  raw         bytea not null,
  primary key (merchant_id, alert_id, arrived_at)
) partition by range (arrived_at);
-- Compressed already.
alter table raw_mails alter column raw set storage external;
create index raw_mails_oldest on raw_mails (merchant_id, arrived_at);
create table raw_mails_default partition of raw_mails default;
do $$
declare
  week timestamptz;
begin
  for week in select generate_series(
    date_trunc('week', least(now(), (select min(arrived_at) from alerts where raw is not null)) at time zone 'UTC') at time zone 'UTC',
    now() + interval '3 weeks', interval '7 days')
  loop
    execute format('create table raw_mails_%s partition of raw_mails for values from (%L) to (%L)',
      to_char(week at time zone 'UTC', 'YYYYMMDD'), week, week + interval '7 days');
  end loop;
end $$;
insert into raw_mails select merchant_id, alert_id, arrived_at, raw from alerts where raw is not null;
alter table alerts drop column raw;

-- Work that one process does at a time. Times are the database's own: the hosts' clocks may disagree.
create table leases (
  name         text primary key,
  holder       text not null,
  leased_until timestamptz(3) not null
);

-- Where the next step of a business goes on: orders up to here stand in an archive.
create table history_progress (
  merchant_id bigint primary key references merchants,
  archived_to timestamptz(3) not null default '-infinity',
  archived_id text not null default ''
) with (fillfactor = 50);

-- Set when the rows of a business that left begin to go, in many small steps; until its own row goes last, nobody
-- expects the rest of them to agree with each other.
alter table merchants add column removal_began_at timestamptz(3);

-- These rows are written again and again, and none of their indexes names what changes: room beside them keeps it so.
alter table amounts set (fillfactor = 80);
alter table collections set (fillfactor = 50);
alter table mailbox_states set (fillfactor = 50);
alter table mailbox_leases set (fillfactor = 50);
alter table mailbox_positions set (fillfactor = 50);

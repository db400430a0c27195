-- Banks change their mails while the service runs: what this installation adds to them, and what it sees of them.

-- Each is an entry as a file of a bank has it. A removed one stays: it tells why an alert of its time was believed.
create table bank_entries (
  entry_id   bigint generated always as identity primary key,
  bank       text not null,
  entry      jsonb not null,
  note       text not null default '',
  saved_at   timestamptz(3) not null,
  saved_by   text not null,
  removed_at timestamptz(3)
);

-- A line of the bank that nobody has listed yet keeps the credit below it from being read: one row however many mails.
create table held_lines (
  line_id      bigint generated always as identity primary key,
  bank         text not null,
  -- As it would be listed.
  line         text not null,
  -- The mail around it, with what is anybody's own replaced.
  surroundings text not null,
  first_seen   timestamptz(3) not null,
  -- When somebody said that it is not to be listed, or listed it.
  settled_at   timestamptz(3),
  mailed_at    timestamptz(3)
);
create unique index held_lines_once on held_lines (bank, md5(line));
alter table alerts add column held_line bigint;
create index alerts_held on alerts (held_line) where held_line is not null;
-- What is judged again once a bank is extended.
create index alerts_unreadable on alerts (bank, arrived_at) where verdict = 'unreadable';

-- Verdicts reached on one day of the Indian calendar.
create table bank_verdicts (
  bank    text not null,
  day     date not null,
  verdict text not null,
  mails   bigint not null,
  primary key (bank, day, verdict)
);
create index bank_verdicts_day on bank_verdicts (day);

-- How the mails look from which credits were read, without anybody's values.
create table bank_skeletons (
  bank       text not null,
  template   text not null,
  hash       bytea not null,
  skeleton   text not null,
  mails      bigint not null,
  first_seen timestamptz(3) not null,
  last_seen  timestamptz(3) not null,
  primary key (bank, template, hash)
);

-- Who wrote and signed in the name of a bank.
create table bank_sources (
  bank       text not null,
  kind       text not null check (kind in ('sender', 'domain', 'unlisted_domain')),
  source     text not null,
  mails      bigint not null,
  first_seen timestamptz(3) not null,
  last_seen  timestamptz(3) not null,
  primary key (bank, kind, source)
);

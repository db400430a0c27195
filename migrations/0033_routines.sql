-- Routine work (verify, backup) leaves a trace, and /readyz has something to write, so that somebody notices when they fail.

create table routines (
  routine text primary key,
  -- By the machine's clock, like the timers that start it.
  finished_at timestamptz not null,
  succeeded boolean not null,
  succeeded_at timestamptz,
  details text not null
);

-- One row. It is written by each look at /readyz, and in a transaction that is taken back the table is made anew: that
-- needs fresh space, which a full disk refuses although a row in place can still be changed.
create table probes (
  probe smallint primary key check (probe = 1),
  written_at timestamptz not null,
  filling bytea not null default ''
);
insert into probes (probe, written_at) values (1, '2026-01-01T00:00:00Z');

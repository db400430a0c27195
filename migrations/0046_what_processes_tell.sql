-- What only a process knows of itself, told where every process of the web can read it: the operator's screen.

create table processes (
  -- Machine, roles and port: started again, it is the same one.
  process         text primary key,
  version         text not null,
  -- By the database's clock.
  told_at         timestamptz not null,
  skew_seconds    double precision not null,
  jump_seconds    double precision not null,
  -- In 99 of 100 cases it got to its work within this.
  lag_seconds     double precision not null,
  -- Of the one that keeps history; 0 of the others.
  overdue_seconds double precision not null
);

-- What happened in five minutes, over all processes; without a row it did not.
create table told_counts (
  at     timestamptz not null,
  figure text not null,
  count  bigint not null,
  primary key (at, figure)
);

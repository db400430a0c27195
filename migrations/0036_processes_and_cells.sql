-- Several processes, and several databases behind one address: what each tells, where a business lives, and what is claimed of all.
-- The release before may run beside it.

-- What only a process knows of itself, told where every process of the web can read it.
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

-- Routine work (verify, backup) leaves a trace, so that somebody notices when it fails.
create table routines (
  routine      text primary key,
  -- By the machine's clock, like the timers that start it.
  finished_at  timestamptz not null,
  succeeded    boolean not null,
  succeeded_at timestamptz,
  details      text not null
);

-- One row. It is written by each look at /readyz, and in a transaction that is taken back the table is made anew: that
-- needs fresh space, which a full disk refuses although a row in place can still be changed.
create table write_trials (
  trial      smallint primary key check (trial = 1),
  written_at timestamptz not null,
  filling    bytea not null default ''
);
insert into write_trials (trial, written_at) values (1, '2026-01-01T00:00:00Z');

-- Where a business arrives without its mailbox: since when nobody has read it. Whoever connects it begins there, for money
-- that came in between belongs to orders that are over by then.
alter table merchants add column unread_since timestamptz(3);

-- Which businesses live elsewhere than CELLS_FILE says; asked of cell 0 alone. It comes before the file's ranges, so a
-- business moves without any file being changed. With `last_id` it is of all ids from `merchant_id` up to that one: a
-- process whose file is older than a range learns here that the range is another cell's.
create table placed (
  merchant_id bigint primary key,
  last_id bigint check (last_id >= merchant_id),
  cell int not null check (cell >= 0),
  since timestamptz(3) not null
);

-- The id of a business that was inserted here, or the state ML503: nobody would look for it in this cell. The ranges that
-- were given away are in `placed` of every cell; whoever gives one away locks `merchants` against inserts meanwhile.
create function own_id(business bigint, here int) returns bigint language plpgsql as $$
begin
  if exists (select from placed p where p.last_id is not null and business between p.merchant_id and p.last_id and p.cell <> here) then
    raise sqlstate 'ML503' using message = 'ids of this range belong to another database of this installation';
  end if;
  return business;
end $$;

-- What counts once in the installation is claimed in the first database, cell 0: an address and the business whose it is,
-- wherever that lives. Claimed before its row is written there: a claim whose row has not come after ten minutes is free.
-- Empty where there is one database: its unique indexes do this alone.
create table taken (
  -- person or alert_address.
  kind        text not null,
  -- Lower case.
  name        text not null,
  merchant_id bigint not null,
  since       timestamptz(3) not null,
  primary key (kind, name)
);
create index taken_by on taken (merchant_id);

-- R2 over cells: the signatures and references that settled something, each for one alert. A name is an HMAC under the key
-- below, so nothing of a mail is here, and nothing has to be erased. 0 and '': of a business that is gone.
create table claimed_credits (
  name        bytea not null,
  merchant_id bigint not null,
  alert_id    text not null,
  -- Of a reference: the account, as far as it is known.
  digits      text,
  since       timestamptz(3) not null,
  primary key (name, merchant_id)
);
create index claimed_credits_by on claimed_credits (merchant_id, alert_id);

-- Sealed with SECRET_KEY; 0 is the installation. Made with the second cell.
create table claim_keys (
  merchant_id bigint primary key check (merchant_id = 0),
  sealed      text not null
);

-- Claims all of a credit for its alert, or says who holds one of its names; without `settles` it only looks. Whoever calls
-- it holds the alert's row locked in their own cell until what they settle is committed: so whoever has that lock knows
-- what a claim is worth. Inside a business its own cell decides which alert counts. 0: settled in this very cell, maybe
-- before there were others.
create function claim_credit(
  business bigint, alert text, signature_names bytea[], reference_name bytea, of_digits text, kept_digits text,
  signatures text[], of_bank text, reference text, settles boolean, moment timestamptz,
  out holder bigint, out held_alert text, out held_since timestamptz
) language plpgsql as $$
declare
  one bytea;
  locked text;
begin
  if settles then
    -- In one order, so that two copies of a mail cannot wait for each other.
    for one in select distinct n from unnest(signature_names || reference_name) n where n is not null order by 1 loop
      locked := pg_advisory_xact_lock(('x' || encode(substr(one, 1, 8), 'hex'))::bit(64)::bigint);
    end loop;
  end if;
  select c.merchant_id, c.alert_id, c.since into holder, held_alert, held_since from claimed_credits c
  where c.merchant_id <> business
    and (c.name = any (signature_names) or (c.name = reference_name and same_account(c.digits, of_digits)))
  limit 1;
  if found then return; end if;
  if not exists (select from claimed_credits c where c.name = any (signature_names) and c.merchant_id = business) and (
    exists (select from counted_signatures s
      where s.signature_id = any (signatures) and s.settled and s.merchant_id <> business)
    or exists (select from settled_references r
      where r.bank_reference = counted_reference(reference) and r.bank = of_bank and r.merchant_id <> business
        and same_account(r.digits, of_digits))) then
    holder := 0;
    held_alert := '';
    return;
  end if;
  if not settles then return; end if;
  insert into claimed_credits as c (name, merchant_id, alert_id, digits, since)
  select n, business, alert, case when n = reference_name then coalesce(kept_digits, of_digits) end, moment
  from unnest(signature_names || reference_name) n where n is not null group by n
  on conflict (name, merchant_id) do update
    set alert_id = excluded.alert_id, digits = excluded.digits, since = greatest(excluded.since, c.since + interval '1 millisecond');
end $$;

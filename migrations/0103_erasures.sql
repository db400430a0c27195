-- What a business knows of a person can be erased: who asked and when, what is left of it, and how an erased reference counts.
-- The release before may run beside it.

-- One row per request. Only what was written before `asked_at` is erased.
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

-- As in migration 100, also where the other business has erased it. `mark` is what an erased reference is known by.
create function settled_elsewhere(business bigint, of_bank text, reference text, printed_digits text, mark text) returns boolean
language plpgsql as $$
declare
  locked text;
begin
  locked := pg_advisory_xact_lock(hashtextextended(reference, 7264253));
  if not exists (select from counted_references r
    where r.bank_reference = reference and (r.merchant_id <> business or r.settled_elsewhere)) then
    if mark is null then return false; end if;
    if not exists (select from counted_references r where r.bank_reference = mark and r.merchant_id <> business) then
      return false;
    end if;
  end if;
  return exists (select from counted_references r
      where r.merchant_id = business and r.bank_reference = reference and r.settled_elsewhere)
    or exists (
      select from settled_references r
      where r.bank_reference in (reference, mark) and r.bank = of_bank and r.merchant_id <> business
        and same_account(r.digits, coalesce(printed_digits, (
          select min(u.account_digits) from upi_accounts u where u.merchant_id = business and u.bank = of_bank
          having count(*) = 1))));
end $$;

create or replace function settled_elsewhere(business bigint, of_bank text, reference text, printed_digits text) returns boolean
language plpgsql as $$
begin
  return settled_elsewhere(business, of_bank, reference, printed_digits, null);
end $$;

-- As in migration 100, and an erased reference counts still. Where any was erased, whoever counts says the mark of theirs;
-- who does not know the key yet is told so (ML002), and nothing is written. A program of before knows no key: none is made
-- while one of those runs, and after the first erasure the release before can confirm no payment with a reference.
create or replace function count_credit(business bigint, alert text, credit jsonb, moment timestamptz, settles boolean) returns text
language plpgsql as $$
declare
  signature text;
  is_settled boolean;
  mark constant text := credit ->> 'mark';
begin
  -- Always in one order, so that two copies of a mail cannot wait for each other.
  for signature in
    select distinct s collate "C" from jsonb_array_elements_text(credit -> 'signatures') s order by 1
  loop
    -- One that was counted before: the same mail again, refolded, renamed, or in another mailbox.
    insert into counted_signatures as c (signature_id, merchant_id, alert_id, counted_at, settled)
    values (signature, business, alert, moment, settles)
    on conflict (signature_id) do update
      set merchant_id = excluded.merchant_id, alert_id = excluded.alert_id, settled = c.settled or excluded.settled
      where (c.merchant_id = excluded.merchant_id and c.alert_id = excluded.alert_id)
        or (c.merchant_id <> excluded.merchant_id and not c.settled);
    if not found then
      return case when exists (select from counted_signatures c where c.signature_id = signature and c.merchant_id = business)
        then 'counted_before' else 'counted_elsewhere' end;
    end if;
  end loop;
  if credit ->> 'reference' is null then return null; end if;
  if mark is null then
    if exists (select from erasure_keys) then raise sqlstate 'ML002'; end if;
  elsif exists (select from counted_references r
    where r.merchant_id = business and r.bank_reference = mark and r.alert_id <> alert) then
    return 'counted_before';
  end if;
  -- Another alert of this business carried the same reference, with as many leading zeros as its bank prints, or it has
  -- settled something in another business whose account it is too.
  insert into counted_references as r (merchant_id, bank_reference, alert_id, counted_at)
  values (business, counted_reference(credit ->> 'reference'), alert, moment)
  on conflict (merchant_id, bank_reference) do update set alert_id = excluded.alert_id where r.alert_id = excluded.alert_id
  returning settled_elsewhere(r.merchant_id, credit ->> 'bank', r.bank_reference, credit ->> 'digits', mark) into is_settled;
  if not found then return 'counted_before'; end if;
  return case when is_settled then 'counted_elsewhere' end;
end $$;

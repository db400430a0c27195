-- Mails and what is known of them: bytes by the week and within bounds, how far a wording is trusted, how far folders are read.
-- The release before may not run beside it.

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
-- The weeks of two years that have something in them, and those that come next; orders/history/keep-partitions.ts adds
-- the others. One row of a clock that was lost may not make thousands: what is older lies in the default partition.
do $$
declare
  week timestamptz;
begin
  for week in select generate_series(
    date_trunc('week', greatest(now() - interval '2 years', least(now(), (select min(arrived_at) from alerts where raw is not null))) at time zone 'UTC') at time zone 'UTC',
    now() + interval '3 weeks', interval '7 days')
  loop
    execute format('create table raw_mails_%s partition of raw_mails for values from (%L) to (%L)',
      to_char(week at time zone 'UTC', 'YYYYMMDD'), week, week + interval '7 days');
  end loop;
end $$;
insert into raw_mails select merchant_id, alert_id, arrived_at, raw from alerts where raw is not null;

alter table alerts
  drop column raw,
  -- Which came first, it or an order (R14). Rows of before have no number.
  add column arrival_epoch int not null default 0,
  add column arrival_number bigint,
  -- Given back or kept, as `handled_credits` says it: here so that an index knows what is left to do.
  add column is_ended boolean not null default false,
  -- The minute that a bank prints: where it prints no reference, only it tells one payment told twice from two payments.
  add column printed_at text,
  -- Out of which budget its bytes are kept, for anybody can send some: `stranger`, `waiting` for a key, or `opened`,
  -- signed once with a bank's key. Null for what is a bank's mail to this business, and once the bytes are gone.
  add column purse text,
  add column kept_bytes int,
  -- The owner who read it: its origin is proven, its reading alone was in doubt.
  add column read_by text,
  -- Which row of the table in ARCHITECTURE.md decided about a genuine credit. Null: decided before there was a table.
  add column table_row smallint,
  -- How far the word of its wording went when the alert met its order: confirmed, trial or review_only.
  add column trust text;
alter table alerts alter column arrival_number set default nextval('arrivals');
update alerts a set purse = case a.verdict when 'retrying' then 'waiting' when 'wrong_recipient' then 'opened' else 'stranger' end,
  kept_bytes = octet_length(r.raw)
from raw_mails r
where r.merchant_id = a.merchant_id and r.alert_id = a.alert_id and r.arrived_at = a.arrived_at
  and (a.verdict in ('forged', 'retrying', 'wrong_recipient') or (a.verdict = 'unreadable' and a.signing_domain is null));

create index alerts_credits on alerts (merchant_id, arrived_at desc, alert_id desc) include (amount_paise)
  where verdict in ('no_order', 'too_late', 'extra_payment') and not is_ended;
create index alerts_purse on alerts (merchant_id, purse) include (kept_bytes) where purse is not null;
-- Mails that a bank signed for this business and that were changed on their way.
create index alerts_changed on alerts (merchant_id, arrived_at) where reason_code = 'changed_on_way';
-- Each payment writes every index of its alert three times: what few ask holds few rows, and what nobody asks is gone.
drop index alerts_reasons, alerts_amount, alerts_retrying;
-- Screens ask for the mails of one reason. A mail that waits for its judge has none, and nearly all become payments.
create index alerts_reasons on alerts (merchant_id, reason_code, arrived_at desc, alert_id desc)
  where verdict <> 'paid' and reason_code is not null;
-- Screens ask by sum for money that paid nothing, and for one payment that was told twice, which has no reference.
create index alerts_amount on alerts (merchant_id, amount_paise)
  where amount_paise is not null and (verdict <> 'paid' or bank_reference is null);

-- Payments by a wording that somebody of the business found in the account. From three on it pays by itself.
create table template_payments (
  merchant_id bigint not null references merchants,
  bank        text not null,
  template    text not null,
  payments    int not null,
  primary key (merchant_id, bank, template)
);
-- Whom a wording has paid before is past its trial.
insert into template_payments (merchant_id, bank, template, payments)
select merchant_id, bank, template, 3 from alerts
where verdict = 'paid' and bank is not null and template is not null
group by merchant_id, bank, template;

alter table upi_accounts
  -- Above this sum an exact alert waits for a person; null: none does.
  add column review_above_paise bigint check (review_above_paise > 0),
  -- When it was set: orders that were created later keep to it.
  add column review_above_since timestamptz(3);

-- While a scan is not over: what lies below this number is still to be read, behind the newest mails, so that none of
-- now waits. What is new lies above next_uid, as ever.
alter table mailbox_positions add column rest_below bigint;
-- When the owner was told that this way changes mails; null while it does not.
alter table mailbox_states add column changed_told_at timestamptz(3);
-- All kinds of work that one process does at a time name whoever does it alike.
alter table mailbox_leases rename column process_id to holder;

-- These rows are written again and again, and none of their indexes names what changes: room beside them keeps it so.
alter table mailbox_states set (fillfactor = 50);
alter table mailbox_leases set (fillfactor = 50);
alter table mailbox_positions set (fillfactor = 50);

-- Holds the leases of these mailboxes and writes how far each folder was read, as far as the leases are ours; answers their
-- places, counted from 1. `skips`: where nobody else has them at this moment.
create function write_positions(
  businesses bigint[], fences bigint[], folders text[], validities bigint[], uids bigint[], scans timestamptz[], mails text[],
  rests bigint[], skips boolean
) returns setof bigint language plpgsql as $$
declare
  held bigint[];
begin
  if skips then
    held := array(select a.place from unnest(businesses, fences) with ordinality as a (merchant_id, fence, place)
        join mailboxes m using (merchant_id) join mailbox_leases l using (merchant_id, fence)
      for key share of m skip locked for share of l skip locked);
  else
    held := array(select a.place from unnest(businesses, fences) with ordinality as a (merchant_id, fence, place)
        join mailboxes m using (merchant_id) join mailbox_leases l using (merchant_id, fence)
      for key share of m for share of l);
  end if;
  insert into mailbox_positions (merchant_id, folder, uidvalidity, next_uid, scan_from, last_mails, rest_below)
  select a.merchant_id, a.folder, a.uidvalidity, a.next_uid, a.scan_from, string_to_array(a.last_mails, ' '), a.rest_below
  from unnest(businesses, folders, validities, uids, scans, mails, rests) with ordinality
    as a (merchant_id, folder, uidvalidity, next_uid, scan_from, last_mails, rest_below, place)
  where a.place = any (held)
  on conflict (merchant_id, folder) do update set
    uidvalidity = excluded.uidvalidity, next_uid = excluded.next_uid, scan_from = excluded.scan_from,
    last_mails = excluded.last_mails, rest_below = excluded.rest_below;
  return query select unnest(held);
end $$;

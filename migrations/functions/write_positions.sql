-- Holds the leases of these mailboxes and records how far each folder was read, if the leases are ours.
-- Returns their places, counted from 1. `skips`: without waiting for a mailbox that another process has locked.
create or replace function write_positions(
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

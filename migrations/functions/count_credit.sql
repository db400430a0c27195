-- Counts a credit once (R2). Returns null, or where it was counted before, here or elsewhere.
-- If it was, the caller rolls back. A copy that took half of what the first mail counted would make that mail a
-- duplicate, and its order would never be paid. What pays an order is settled for all businesses. What waits for a
-- person is settled for none. If any reference was erased, the caller passes its own reference's hash. A caller
-- without the key gets the state ML002, and nothing is written. Release 0.1.0 knows no key, and none is made while one
-- of its processes runs.
create or replace function count_credit(business bigint, alert text, credit jsonb, moment timestamptz, settles boolean) returns text
language plpgsql as $$
declare
  signature text;
  reference constant text := counted_reference(credit ->> 'reference');
  mark constant text := credit ->> 'mark';
begin
  -- Lock in ascending order, or two copies of a mail could deadlock.
  for signature in
    select distinct s collate "C" from jsonb_array_elements_text(credit -> 'signatures') s order by 1
  loop
    -- It was counted before: the same mail again, refolded, renamed, or in another mailbox.
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
  if reference is null then return null; end if;
  if mark is null then
    if exists (select from erasure_keys) then raise sqlstate 'ML002'; end if;
  elsif exists (select from counted_references r
    where r.merchant_id = business and r.bank_reference = mark and r.alert_id <> alert) then
    return 'counted_before';
  end if;
  -- Another alert of this business has the same reference, with as many leading zeros as its bank prints. Or the
  -- reference has settled something in another business with the same account.
  insert into counted_references as r (merchant_id, bank_reference, alert_id, counted_at)
  values (business, reference, alert, moment)
  on conflict (merchant_id, bank_reference) do update set alert_id = excluded.alert_id where r.alert_id = excluded.alert_id;
  if not found then return 'counted_before'; end if;
  return case when settled_elsewhere(business, credit ->> 'bank', reference, credit ->> 'digits', mark)
    then 'counted_elsewhere' end;
end $$;

-- What counts once: a signature and a bank's reference, in one business of the whole installation, also after an erasure.
-- The release before may run beside it.

-- A credit is handed around as the service knows it: amount, alert_time, bank, template, reference, mark, payer, digits,
-- payee_vpa, printed_at, signatures, signing_domain, selector, recipient, trust; and the service's own limits with it:
-- early, late, fresh (intervals) and trial (payments).

-- A bank's reference in the form in which it counts once: without leading zeros, which one mail prints and another does
-- not, and as long as most references are.
create function counted_reference(reference text) returns text language sql immutable as $$
  select lpad(regexp_replace(reference, '^0+(?=[0-9])', ''),
    greatest(length(regexp_replace(reference, '^0+(?=[0-9])', '')), 12), '0')
$$;

-- Until the transaction ends, nobody else of this business can ask about this reference. The first lock of all.
create function lock_reference(business bigint, reference text) returns void language plpgsql as $$
declare
  locked text;
begin
  locked := pg_advisory_xact_lock(hashtextextended(business::text || ' ' || counted_reference(reference), 0));
end $$;

-- R2: one credit pays in one business; a bank reference counts once in the installation per bank and recorded account.
create index counted_references_everywhere on counted_references (bank_reference);

-- References of credits that paid an order or that a person has decided about, with the account that they are known to
-- be about. What the program attached by itself waits for a person, and has settled nothing.
create view settled_references as
  select r.merchant_id, r.bank_reference, r.alert_id, a.bank, coalesce(u.account_digits, a.account_digits) as digits
  from counted_references r
    join alerts a on a.merchant_id = r.merchant_id and a.alert_id = r.alert_id
    left join orders o on o.merchant_id = a.merchant_id and o.order_id = a.order_id
    left join upi_accounts u on u.merchant_id = o.merchant_id and u.account_id = o.account_id
  where a.verdict = 'paid' or exists (select from handled_credits h
    where h.merchant_id = a.merchant_id and h.alert_id = a.alert_id and h.state <> 'open'
      and (h.state <> 'attached' or h.done_by <> 'milaan'));

-- Digits agree as far as both are known, as an alert's agree with an account's (R13).
create function same_account(one text, other text) returns boolean language sql immutable as $$
  select coalesce(right(one, length(other)) = right(other, length(one)), true)
$$;

-- Whether a credit with this reference has settled something in another business whose account it is too, also where that
-- business has erased it: `mark` is what an erased reference is known by. What has settled nothing gives way. Businesses
-- that ask about one reference take turns until they have committed, and each looks anew. Nearly always nobody else has
-- counted the reference, and that is asked first.
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

-- For a credit that was counted here before: what another business erased since stands in its own row.
create function settled_elsewhere(business bigint, of_bank text, reference text, printed_digits text) returns boolean
language plpgsql as $$
begin
  return settled_elsewhere(business, of_bank, reference, printed_digits, null);
end $$;

-- R2: counts a credit, once: null, or that it was counted before, here or elsewhere. The caller takes back what was taken
-- until then: a copy that took half of what the first mail counted would make that one a duplicate too, and its order
-- would never be paid. What pays an order is settled for all; what only waits for a person is not, in any business.
-- Where any reference was erased, whoever counts says the mark of theirs; who does not know the key yet is told so
-- (ML002), and nothing is written. A program of before knows no key: none is made while one of those runs.
create function count_credit(business bigint, alert text, credit jsonb, moment timestamptz, settles boolean) returns text
language plpgsql as $$
declare
  signature text;
  reference constant text := counted_reference(credit ->> 'reference');
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
  if reference is null then return null; end if;
  if mark is null then
    if exists (select from erasure_keys) then raise sqlstate 'ML002'; end if;
  elsif exists (select from counted_references r
    where r.merchant_id = business and r.bank_reference = mark and r.alert_id <> alert) then
    return 'counted_before';
  end if;
  -- Another alert of this business carried the same reference, with as many leading zeros as its bank prints, or it has
  -- settled something in another business whose account it is too.
  insert into counted_references as r (merchant_id, bank_reference, alert_id, counted_at)
  values (business, reference, alert, moment)
  on conflict (merchant_id, bank_reference) do update set alert_id = excluded.alert_id where r.alert_id = excluded.alert_id;
  if not found then return 'counted_before'; end if;
  return case when settled_elsewhere(business, credit ->> 'bank', reference, credit ->> 'digits', mark)
    then 'counted_elsewhere' end;
end $$;

-- What was settled for this credit waits again, and gives way to another business.
create function unsettle_credit(business bigint, alert text) returns void language plpgsql as $$
begin
  update counted_signatures s set settled = false
  from alerts a cross join unnest(a.signature_id || a.other_signature_ids) as signature
  where a.merchant_id = business and a.alert_id = alert
    and s.signature_id = signature and s.merchant_id = business and s.alert_id = alert;
end $$;

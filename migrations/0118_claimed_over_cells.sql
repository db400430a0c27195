-- Several databases behind one address: what counts once in the installation is claimed in the first of them, cell 0.
-- The release before may run beside it.

-- An address and the business whose it is, wherever that lives. Claimed before its row is written there: a claim whose row
-- has not come after ten minutes is free. Empty where there is one database: its unique indexes do this alone.
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

-- A person takes a credit for an order. True: it may be a payment that they were not shown.
-- It is true if a twin is not in `seen`, and then nothing is written. Otherwise credits with one of its names wait
-- from now on. The names are locked in ascending order, so call this before the alert is locked. They are not locked
-- in other businesses, because those rows are locked before `settled_elsewhere` runs. If two businesses take one
-- credit at the same moment, `verify` finds it.
create or replace function ask_about_twins(business bigint, alert text, names text[], sums bigint[], seen text[], moment timestamptz)
returns boolean language plpgsql as $$
declare
  own_names constant text[] := credit_names(business, alert, names);
  own record;
  own_digits text;
  asking text[];
  name text;
  locked text;
begin
  select a.bank, a.account_digits into own from alerts a where a.merchant_id = business and a.alert_id = alert;
  foreach name in array own_names loop
    locked := lock_reference(business, name);
  end loop;
  asking := array(select t.alert_id from credit_twins(business, alert, names, sums) t where t.asks);
  if not asking <@ seen then return true; end if;
  if names is null and asking = '{}' then return false; end if;
  own_digits := credited_digits(business, own.bank, own.account_digits);
  insert into possible_references (merchant_id, bank_reference, alert_id, bank, digits, asked, noted_at)
  select business, n, alert, own.bank, own_digits, asking <> '{}', moment from unnest(own_names) n
  on conflict do nothing;
  return false;
end $$;

-- Pays a clean payment, whole or not at all.
-- Clean means a fresh alert, counted nowhere, that pays the order which was looked up and judged to be of its account.
-- Neither has changed since, and no gate separates them. Locks are taken in the same order as for any other payment,
-- and everything is checked again after them. False, or the state ML001: it is not clean, nothing is written, and the
-- table of rules decides.
create or replace function pay_at_once(
  business bigint, alert text, credit jsonb, chosen_order text, chosen_version text, moment timestamptz,
  code text, code_facts jsonb, event text, event_body text, destination text, roles text[], told_until timestamptz
) returns boolean language plpgsql as $$
declare
  met record;
  done text;
begin
  done := refuse_moved(business);
  if credit ->> 'reference' is not null then done := lock_reference(business, credit ->> 'reference'); end if;
  perform from alerts a
  where a.merchant_id = business and a.alert_id = alert and a.verdict in ('unjudged', 'retrying') for update;
  if not found then return false; end if;
  if count_credit(business, alert, credit, moment, true) is not null then raise sqlstate 'ML001'; end if;
  done := lock_holders(business, credit);
  met := credit_holder(business, alert, credit);
  if (met.holders, (met.o).order_id, met.version) is distinct from (1::bigint, chosen_order, chosen_version)
    or met.gate is not null then
    raise sqlstate 'ML001';
  end if;
  if pay_order(business, chosen_order, alert, (credit ->> 'amount')::bigint, credit ->> 'reference', moment,
    event, event_body, destination, roles, told_until) then
    raise sqlstate 'ML001';
  end if;
  done := store_verdict(business, alert, credit, 'paid', chosen_order, 3, code, code_facts, '[]', moment);
  return true;
end $$;

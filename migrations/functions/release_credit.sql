-- Makes money that waited for an order open again, and a payment without an order what it was.
create or replace function release_credit(business bigint, of_order text, moment timestamptz) returns void language plpgsql as $$
declare
  opened text;
  done text;
begin
  update handled_credits h set state = 'open', done_by = 'milaan', done_at = moment, note = ''
  where h.merchant_id = business and h.order_id = of_order and h.state = 'attached'
  returning h.alert_id into opened;
  if not found then return; end if;
  done := unsettle_credit(business, opened);
  update alerts a set is_ended = true
  where a.merchant_id = business and a.alert_id = opened and a.reason_code is distinct from 'claimed_by_several'
    and exists (select from takings t where t.merchant_id = business and t.alert_id = opened);
end $$;

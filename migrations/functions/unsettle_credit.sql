-- Makes what was settled for this credit wait again, so that it gives way to another business.
create or replace function unsettle_credit(business bigint, alert text) returns void language plpgsql as $$
begin
  update counted_signatures s set settled = false
  from alerts a cross join unnest(a.signature_id || a.other_signature_ids) as signature
  where a.merchant_id = business and a.alert_id = alert
    and s.signature_id = signature and s.merchant_id = business and s.alert_id = alert;
end $$;

-- The order that accepts this amount at this time (R3), with its account and its gate.
-- `version` changes whenever the order or the account changes. `holders` is 1, or more if R3 is broken.
create or replace function credit_holder(
  business bigint, alert text, credit jsonb, out o orders, out a upi_accounts, out gate text, out version text, out holders bigint
) language plpgsql stable as $$
declare
  met record;
begin
  select h as holder, u as account, m.fresh_only, count(*) over () as holders,
    hash_record_extended(h, 0)::text || ' ' || hash_record_extended(u, 0)::text as version
  into met
  from alerts e join orders h on h.merchant_id = e.merchant_id
    join upi_accounts u on u.merchant_id = h.merchant_id and u.account_id = h.account_id
    join merchants m on m.merchant_id = h.merchant_id
  where e.merchant_id = business and e.alert_id = alert
    and h.merchant_id = business and h.payable_paise = (credit ->> 'amount')::bigint
    and h.status in ('pending', 'manual_review', 'paid')
    and h.created_at <= (credit ->> 'alert_time')::timestamptz + (credit ->> 'early')::interval
    and h.expires_at >= (credit ->> 'alert_time')::timestamptz - (credit ->> 'late')::interval
    and came_first(h.arrival_epoch, h.arrival_number, h.created_at, e.arrival_epoch, e.arrival_number, e.arrived_at)
  limit 1;
  if not found then return; end if;
  o := met.holder;
  a := met.account;
  version := met.version;
  holders := met.holders;
  gate := credit_gate(business, credit, o.order_id, o.status, o.payable_paise, o.created_at,
    met.fresh_only, o.seen_at, o.intent_at, a.review_above_paise);
  gate := case
    when gate is not null then gate
    when (credit ->> 'two_cells')::boolean then 'waits_two_cells'
    when a.same_as is not null then 'waits_shared_account' end;
end $$;

-- The numbers that may identify a credit: the given ones, or its reference and those noted for it.
create or replace function credit_names(business bigint, alert text, given text[]) returns text[] language plpgsql stable as $$
begin
  return array(select distinct counted_reference(n) collate "C" from unnest(coalesce(given,
      (select array_agg(p.bank_reference) from possible_references p where p.merchant_id = business and p.alert_id = alert)
      || (select a.bank_reference from alerts a where a.merchant_id = business and a.alert_id = alert))) n
    where n is not null order by 1);
end $$;

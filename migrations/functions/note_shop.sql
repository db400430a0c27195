-- Notes which connected shop's key created an order, because that shop's secret signs its webhooks.
create or replace function note_shop(business bigint, presented_key bytea, of_order text, outcome text) returns void language plpgsql as $$
begin
  if presented_key is null or outcome <> 'created' then return; end if;
  insert into connected_orders (merchant_id, order_id, key_id)
  select k.merchant_id, of_order, k.key_id
  from api_keys k join connections s on s.merchant_id = k.merchant_id and s.key_id = k.key_id
  where k.merchant_id = business and k.key_hash = presented_key;
end $$;

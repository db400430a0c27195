-- The secrets that sign an event for the connected shop whose order it is.
-- If the shop connected again from the same address, this is its new secret. Else it is the old one, even after it was
-- disconnected. A test goes to the shop with that address.
create or replace function shop_secrets(business bigint, of_order text, is_test boolean, address text)
returns table (shop text, shop_secret text, old_shop_secret text, shop_secret_rotated_at timestamptz)
language plpgsql stable rows 1 as $$
begin
  return query
  select case when n.webhook_secret is not null then n.key_id end, n.webhook_secret, n.old_webhook_secret,
    n.secret_rotated_at::timestamptz
  from connections mine
    join connections n on n.merchant_id = mine.merchant_id and n.return_url = mine.return_url
    join api_keys k on k.merchant_id = n.merchant_id and k.key_id = n.key_id
  where mine.merchant_id = business and (k.revoked_at is null or k.key_id = mine.key_id)
    and case when of_order is null then is_test and mine.webhook_url = address
      else mine.key_id = (select o.key_id from connected_orders o
        where o.merchant_id = business and o.order_id = of_order) end
  order by k.revoked_at is not null, n.agreed_at desc limit 1;
end $$;

-- Shops that were connected with one click: what the owner agreed to, the key, and a secret that no other shop knows.
-- The release before may run beside it.

create table connections (
  merchant_id    bigint not null references merchants,
  -- Of a code that works once, for a minute; whoever presents it must also know what code_challenge was made of.
  code_hash      bytea not null,
  code_challenge text not null,
  expires_at     timestamptz(3) not null,
  shop_name      text not null,
  return_url     text not null,
  webhook_url    text not null,
  account_id     text not null,
  -- Who agreed, and with it lends the shop their right to a key.
  user_id        text not null,
  agreed_at      timestamptz(3) not null,
  -- Null until the shop's server has collected it.
  key_id         text,
  -- Sealed, like the business's own. Null: it knows the business's.
  webhook_secret text,
  old_webhook_secret text,
  secret_rotated_at timestamptz(3),
  primary key (merchant_id, code_hash)
);
create unique index connections_key on connections (merchant_id, key_id) where key_id is not null;

-- Orders of connected shops: each is of the shop whose key made it. Orders of other keys have no row here.
create table connected_orders (
  merchant_id bigint not null,
  order_id    text not null,
  key_id      text not null,
  primary key (merchant_id, order_id),
  foreign key (merchant_id, order_id) references orders on delete cascade
);

-- An order that a connected shop's key made is that shop's: what is told about it is signed with the shop's secret.
create function note_shop(business bigint, presented_key bytea, of_order text, outcome text) returns void language plpgsql as $$
begin
  if presented_key is null or outcome <> 'created' then return; end if;
  insert into connected_orders (merchant_id, order_id, key_id)
  select k.merchant_id, of_order, k.key_id
  from api_keys k join connections s on s.merchant_id = k.merchant_id and s.key_id = k.key_id
  where k.merchant_id = business and k.key_hash = presented_key;
end $$;

-- An event is signed for the shop whose order it is: with what that shop knows now, if it has connected again from the
-- same address, else with what it was given, also after it was disconnected. A test goes to whoever has its address.
create function shop_secrets(business bigint, of_order text, is_test boolean, address text)
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

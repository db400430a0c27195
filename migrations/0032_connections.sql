-- Shops that were connected with one click: what the owner agreed to, the code that collects the key, and the key.

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
  -- Who agreed, and with it lends the shop his right to a key.
  user_id        text not null,
  agreed_at      timestamptz(3) not null,
  -- Null until the shop's server has collected it.
  key_id         text,
  primary key (merchant_id, code_hash)
);
create unique index connections_key on connections (merchant_id, key_id) where key_id is not null;

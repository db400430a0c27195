-- One stranger cannot close a payment link for everybody, and a piece that was sold twice is somebody's to look at.
-- The release before may run beside it.

-- Who opened an order by a link: a browser by its cookie, a network by its address. Keyed hashes, and only compared.
alter table order_purposes
  add column visitor      bytea,
  -- An IPv4 address or an IPv6 /64, and the /48 around the latter.
  add column network      bytea,
  add column wide_network bytea;

-- A late payment counts; where its piece had gone to somebody else by then, one more is sold than there is.
create table oversold_links (
  merchant_id    bigint not null,
  -- The order that was paid when nothing was left, and the one that was paid before it.
  order_id       text not null,
  other_order_id text not null,
  title          text not null,
  stock          int not null,
  noted_at       timestamptz(3) not null,
  -- Somebody has dealt with it.
  ended_at       timestamptz(3),
  primary key (merchant_id, order_id),
  foreign key (merchant_id, order_id) references orders on delete cascade
);

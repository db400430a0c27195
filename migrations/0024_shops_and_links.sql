-- What a shop shows its customers, and payments that no shop's server asked for: by a link, at the counter, on the dashboard.
-- The release before may not run beside it.

alter table merchants
  -- How a customer reaches the shop, shown wherever a page says "contact the shop".
  add column contact_phone text,
  add column contact_whatsapp text,
  add column contact_email text,
  -- `colour` is six hexadecimal digits; `logo` is the name under which the picture is served, which its bytes decide.
  add column colour text check (colour ~ '^[0-9a-f]{6}$'),
  add column logo text,
  -- Tags of languages beside English and Hindi, such as ta. One that a release does not know is passed over by it.
  add column languages text[] not null default '{}',
  -- Keep what is added to the orders of links and counter below a rupee: the owner's choice.
  add column cap_added boolean not null default false;

create table shop_logos (
  merchant_id bigint primary key references merchants,
  name        text not null,
  bytes       bytea not null check (octet_length(bytes) <= 65536)
);

create table payment_links (
  merchant_id  bigint not null references merchants,
  link_id      text not null,
  token        text not null,
  title        text not null,
  -- Null: the customer says how much, within the limits.
  amount_paise bigint check (amount_paise > 0),
  least_paise  bigint check (least_paise > 0),
  most_paise   bigint check (most_paise >= least_paise),
  ends_at      timestamptz(3),
  -- How often it may be paid; null: as often as people like.
  stock        int check (stock > 0),
  made_by      text not null,
  created_at   timestamptz(3) not null,
  withdrawn_at timestamptz(3),
  -- Counted here: its orders are deleted one day, and a piece that was sold stays sold.
  paid_pieces  int not null default 0,
  primary key (merchant_id, link_id),
  check ((amount_paise is null) = (least_paise is not null and most_paise is not null))
);
create unique index payment_links_token on payment_links (merchant_id, token);

-- What an order is for, where a person or a link made it. Orders of a shop's server have no row here.
create table order_purposes (
  merchant_id  bigint not null,
  order_id     text not null,
  purpose      text not null,
  -- Who made it, or the link by which a customer did.
  made_by      text,
  link_id      text,
  created_at   timestamptz(3) not null,
  -- Who opened it by a link, so that one stranger cannot close it for everybody: a browser by its cookie, a network by
  -- its address (IPv4 or an IPv6 /64), and the /48 around the latter. Keyed hashes, and only compared.
  visitor      bytea,
  network      bytea,
  wide_network bytea,
  -- A piece is counted once, whoever counts it.
  counted      boolean not null default false,
  primary key (merchant_id, order_id),
  foreign key (merchant_id, order_id) references orders on delete cascade
);
create index order_purposes_link on order_purposes (merchant_id, link_id) where link_id is not null;
-- What strangers opened lately, which has a limit.
create index order_purposes_by_links on order_purposes (merchant_id, created_at) where link_id is not null;

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

create function count_piece(business bigint, of_order text) returns void language plpgsql as $$
declare
  sold text;
begin
  update order_purposes u set counted = true from payment_links l
  where u.merchant_id = business and u.order_id = of_order and not u.counted
    and l.merchant_id = business and l.link_id = u.link_id and l.stock is not null
  returning l.link_id into sold;
  if not found then return; end if;
  update payment_links l set paid_pieces = l.paid_pieces + 1 where l.merchant_id = business and l.link_id = sold;
end $$;

-- Also where somebody marks an order paid by hand.
create function count_paid_piece() returns trigger language plpgsql as $$
begin
  perform count_piece(new.merchant_id, new.order_id);
  return null;
end $$;
create trigger count_paid_piece after update of status on orders
  for each row when (new.status = 'paid' and old.status <> 'paid' and new.merchant_order_id like 'till-%')
  execute function count_paid_piece();

-- At the till: the counter and today's payments, and nothing else.
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check
  check (role in ('owner', 'manager', 'support', 'developer', 'auditor', 'cashier', 'operator'));

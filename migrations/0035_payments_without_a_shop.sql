-- Payments that no shop's server asked for: made on the dashboard, at the counter, or by a link that stays.

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
  primary key (merchant_id, link_id),
  check ((amount_paise is null) = (least_paise is not null and most_paise is not null))
);
create unique index payment_links_token on payment_links (merchant_id, token);

-- What an order is for, where a person or a link made it. Orders of a shop's server have no row here.
create table order_purposes (
  merchant_id bigint not null,
  order_id    text not null,
  purpose     text not null,
  -- Who made it, or the link by which a customer did.
  made_by     text,
  link_id     text,
  created_at  timestamptz(3) not null,
  primary key (merchant_id, order_id),
  foreign key (merchant_id, order_id) references orders on delete cascade
);
create index order_purposes_link on order_purposes (merchant_id, link_id) where link_id is not null;
-- What strangers opened lately, which has a limit.
create index order_purposes_by_links on order_purposes (merchant_id, created_at) where link_id is not null;

-- At the till: the counter and today's payments, and nothing else.
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check
  check (role in ('owner', 'manager', 'support', 'developer', 'auditor', 'cashier', 'operator'));

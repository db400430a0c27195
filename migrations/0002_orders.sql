-- Orders, the amounts they hold, each month's collections, and the archives of what left the history window.

create table orders (
  merchant_id       bigint not null,
  order_id          text not null,
  merchant_order_id text not null,
  amount_paise      bigint not null check (amount_paise > 0),
  payable_paise     bigint not null check (payable_paise - amount_paise between 1 and 299),
  -- `expired` is never stored: a pending order is expired once its time is over, at every read (R7).
  status            text not null check (status in ('pending', 'paid', 'failed', 'manual_review')),
  created_at        timestamptz(3) not null,
  expires_at        timestamptz(3) not null,
  paid_at           timestamptz(3),
  pay_token         text not null,
  account_id        text not null,
  success_url       text not null,
  failure_url       text not null,
  webhook_url       text not null,
  customer          jsonb,
  -- The alert that paid it (R1) and the bank's reference, kept here so that a get is one row.
  alert_id          text,
  bank_reference    text,
  archived_at       timestamptz(3),
  -- Set when the order is older than the history window and its merchant_order_id was wanted again.
  id_released       boolean not null default false,
  -- No foreign key to the account: the one statement that inserts reads the account in the same breath, accounts are
  -- never deleted before their business, and the row locks of the check would queue all creates of a business.
  primary key (merchant_id, order_id),
  check ((status = 'paid') = (paid_at is not null and alert_id is not null))
);
-- R5, also under simultaneous creates.
create unique index orders_merchant_order_id on orders (merchant_id, merchant_order_id) where not id_released;
create unique index orders_pay_token on orders (merchant_id, pay_token);
-- R2: one alert pays at most one order.
create unique index orders_alert on orders (merchant_id, alert_id) where alert_id is not null;
create index orders_newest on orders (merchant_id, created_at desc, order_id desc);
create index orders_by_status on orders (merchant_id, status, created_at desc, order_id desc);
-- Matching looks here: who held this amount at that time.
create index orders_payable on orders (merchant_id, payable_paise, created_at desc);

-- Who holds which payable amount until when (R3). A row is taken over once its time is up; nothing is ever swept.
create table amounts (
  merchant_id   bigint not null,
  payable_paise bigint not null,
  held_until    timestamptz(3) not null,
  order_id      text not null,
  primary key (merchant_id, payable_paise)
);

create table collections (
  merchant_id     bigint not null references merchants,
  -- First day of a calendar month in Asia/Kolkata.
  month           date not null,
  collected_paise bigint not null check (collected_paise >= 0),
  -- The part of it whose orders have left the history window; the rest can be counted from the orders at any time.
  removed_paise   bigint not null default 0 check (removed_paise between 0 and collected_paise),
  primary key (merchant_id, month)
);

-- Each part is a gzip file of CSV rows; the parts of a month joined are one valid gzip file.
create table order_archives (
  merchant_id bigint not null references merchants,
  month       date not null,
  part        int not null,
  orders      int not null,
  csv_gzip    bytea not null,
  created_at  timestamptz(3) not null,
  primary key (merchant_id, month, part)
);

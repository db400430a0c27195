-- Bank mails as they were found, what was read from them, and the verdict on each.

create table alerts (
  merchant_id    bigint not null references merchants,
  -- Derived from the merchant and the bytes, so that the same mail found twice is the same alert.
  alert_id       text not null,
  -- Compressed; null once the history window is over, when only the facts are kept.
  raw            bytea,
  raw_bytes      int not null,
  arrived_at     timestamptz(3) not null,
  found_in       text not null,
  verdict        text not null check (verdict in ('unjudged', 'paid', 'duplicate', 'extra_payment', 'too_late',
                   'no_order', 'wrong_recipient', 'wrong_account', 'not_a_credit', 'unreadable', 'forged', 'retrying')),
  reason         text not null default '',
  judged_at      timestamptz(3),
  -- Set while the verdict may still change: a passing fault, or no order yet.
  next_try_at    timestamptz(3),
  tries          int not null default 0,
  -- Who judges it now, and until when: a judge that dies is replaced once its time is over.
  claim          text,
  claimed_until  timestamptz(3),
  bank           text,
  template       text,
  amount_paise   bigint,
  bank_reference text,
  payer          text,
  account_digits text,
  payee_vpa      text,
  alert_time     timestamptz(3),
  signature_id   text,
  -- Of the same mail; each of them counts once too.
  other_signature_ids text[] not null default '{}',
  signing_domain text,
  selector       text,
  recipient      text,
  -- The order it paid, doubled or came too late for.
  order_id       text,
  near_misses    jsonb,
  primary key (merchant_id, alert_id)
);
-- Claiming walks from merchant to merchant, so that a flood in one mailbox delays nobody else.
create index alerts_fresh on alerts (merchant_id, next_try_at) where next_try_at is not null and tries = 0;
create index alerts_again on alerts (merchant_id, next_try_at) where next_try_at is not null and tries > 0;
create index alerts_newest on alerts (merchant_id, arrived_at desc, alert_id desc);
create index alerts_amount on alerts (merchant_id, amount_paise) where amount_paise is not null;

-- R2: one DKIM signature counts once in the whole installation, for ever. An address may move from one business to
-- another: until the alert has met an order, the signature can still pass to the business whose order it pays.
create table counted_signatures (
  signature_id text primary key,
  merchant_id  bigint not null,
  alert_id     text not null,
  settled      boolean not null default false,
  counted_at   timestamptz(3) not null
);

-- R2: one bank reference counts once per merchant.
create table counted_references (
  merchant_id    bigint not null,
  bank_reference text not null,
  alert_id       text not null,
  counted_at     timestamptz(3) not null,
  primary key (merchant_id, bank_reference)
);

-- Keys seen in DNS, so that a rotated key does not lose a mail that arrives late.
create table dkim_keys (
  name       text not null,
  record     text not null,
  first_seen timestamptz(3) not null,
  last_seen  timestamptz(3) not null,
  primary key (name, record)
);

-- The businesses, what they may do, their keys and the accounts that receive their money.

create table plans (
  plan                text primary key,
  monthly_limit_paise bigint check (monthly_limit_paise > 0),
  account_limit       int check (account_limit > 0),
  history_days        int check (history_days >= 7),
  upgrade_url         text
);

create table merchants (
  merchant_id           bigint primary key,
  name                  text not null,
  plan                  text not null references plans (plan),
  created_at            timestamptz(3) not null,
  disabled_at           timestamptz(3),
  -- Inside the seven days between the wish to leave and the end, the business counts as disabled.
  deletion_requested_at timestamptz(3),
  -- Sealed; the one that signs, and the one before it, which still signs beside it for a day.
  webhook_secret        text not null,
  old_webhook_secret    text,
  secret_rotated_at     timestamptz(3)
);

create table users (
  merchant_id   bigint not null references merchants,
  user_id       text not null,
  email         text not null,
  role          text not null check (role in ('owner', 'manager', 'support', 'developer', 'auditor')),
  password_hash text not null,
  created_at    timestamptz(3) not null,
  primary key (merchant_id, user_id)
);
-- One address, one account, over the whole installation: sign-in starts with the address alone.
create unique index users_email on users (lower(email));

create table api_keys (
  merchant_id  bigint not null references merchants,
  key_hash     bytea not null,
  key_id       text not null,
  name         text not null,
  created_at   timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at   timestamptz(3),
  primary key (merchant_id, key_hash)
);
create unique index api_keys_id on api_keys (merchant_id, key_id);

create table upi_accounts (
  merchant_id    bigint not null references merchants,
  account_id     text not null,
  vpa            text not null,
  payee_name     text not null,
  kind           text not null check (kind in ('personal', 'merchant')),
  -- The bank's category code of a verified merchant account; goes into its links.
  merchant_code  text check (merchant_code ~ '^[0-9]{4}$'),
  -- Last digits of the bank account behind the VPA. An alert for other digits never pays.
  account_digits text check (account_digits ~ '^[0-9]{2,6}$'),
  is_default     boolean not null,
  created_at     timestamptz(3) not null,
  removed_at     timestamptz(3),
  primary key (merchant_id, account_id)
);
create unique index upi_accounts_default on upi_accounts (merchant_id) where is_default and removed_at is null;
create index upi_accounts_oldest on upi_accounts (merchant_id, created_at, account_id) where removed_at is null;

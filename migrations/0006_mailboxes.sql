-- Where the bank's alerts arrive: connected mailboxes, who reads each of them now, how far, and how well it goes.

create table mailboxes (
  merchant_id   bigint primary key references merchants,
  provider      text not null check (provider in ('gmail', 'outlook', 'zoho', 'yahoo', 'other')),
  -- Lower case. Alerts count only when the bank addressed them here (or to a confirmed extra address).
  address       text not null check (address = lower(address)),
  username      text not null,
  host          text not null,
  port          int not null check (port between 1 and 65535),
  -- Sealed and bound to this row; gone with the row when the mailbox is disconnected.
  credential    text not null,
  extra_folders text[] not null default '{}',
  -- New with every change of the settings, so that a watcher notices that it holds old ones.
  revision      bigint not null,
  connected_at  timestamptz(3) not null
);
-- Payable amounts are unique per business: two businesses on one mailbox could pay each other's orders.
create unique index mailboxes_address on mailboxes (address);

create sequence mailbox_revisions;

-- Never reused, not even after a mailbox was disconnected and connected again.
create sequence mailbox_fences;

-- One process reads a mailbox at a time. Times here are the database's own: the hosts' clocks may disagree.
create table mailbox_leases (
  merchant_id  bigint primary key references mailboxes on delete cascade,
  process_id   text,
  fence        bigint not null default 0,
  leased_until timestamptz(3) not null default '-infinity'
);

-- The processes that share the mailboxes, so that each knows its fair part.
create table mail_processes (
  process_id  text primary key,
  alive_until timestamptz(3) not null
);

-- How far each folder has been read. Written in the transaction that stores the mails found on the way.
create table mailbox_positions (
  merchant_id bigint not null references mailboxes on delete cascade,
  folder      text not null,
  uidvalidity bigint not null,
  next_uid    bigint not null,
  -- Mail that arrived before this moment does not concern us.
  scan_from   timestamptz(3) not null,
  primary key (merchant_id, folder)
);

-- Bank mails of the last days by their place in the mailbox, so that none is downloaded twice.
create table found_mails (
  merchant_id bigint not null references mailboxes on delete cascade,
  folder      text not null,
  uidvalidity bigint not null,
  uid         bigint not null,
  -- The provider's own id of a mail, the same in every folder that shows it (Gmail's All Mail).
  email_id    text,
  found_at    timestamptz(3) not null,
  primary key (merchant_id, folder, uidvalidity, uid)
);
create index found_mails_email on found_mails (merchant_id, email_id) where email_id is not null;

create table mailbox_states (
  merchant_id       bigint primary key references mailboxes on delete cascade,
  connected_since   timestamptz(3),
  last_good_poll    timestamptz(3),
  last_alert_at     timestamptz(3),
  -- From the mail server's receipt of the last alert to our storing it.
  lag_ms            bigint,
  last_error        text,
  last_error_at     timestamptz(3),
  needs_login       boolean not null default false,
  login_failures    int not null default 0,
  login_failed_at   timestamptz(3),
  -- Set while the owner knows that the mailbox is blind.
  blind_told_at     timestamptz(3)
);

create table extra_alert_addresses (
  merchant_id     bigint not null references merchants,
  address         text not null check (address = lower(address)),
  added_at        timestamptz(3) not null,
  confirmed_at    timestamptz(3),
  -- Keyed hash of the code that was mailed to the address; null once used, spent or expired.
  code_hash       bytea,
  code_expires_at timestamptz(3),
  wrong_codes     int not null default 0,
  codes_sent      int not null default 0,
  first_code_at   timestamptz(3),
  primary key (merchant_id, address)
);
-- An address belongs to one business only, for the same reason as a mailbox.
create unique index extra_alert_addresses_confirmed on extra_alert_addresses (address) where confirmed_at is not null;

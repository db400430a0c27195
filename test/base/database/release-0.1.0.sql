-- A database as release 0.1.0 left it: its sixteen migrations as they stood, then rows in every table, made by the
-- sandbox of that release: created, paid in every way, archived, delivered, failed, being sent. Never to be changed.
-- 0001_merchants.sql
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

-- 0002_orders.sql
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

-- 0003_alerts.sql
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

-- 0004_webhooks.sql
-- Events, and the delivery table that is queue and log at once.

create table events (
  merchant_id bigint not null references merchants,
  -- Derived from the order, so that a restored backup repeats the same id.
  event_id    text not null,
  type        text not null,
  order_id    text,
  webhook_url text not null,
  -- The exact bytes that every attempt sends.
  body        text not null,
  -- open: a delivery waits or is being sent. delivered stays, also when a later resend fails.
  state       text not null default 'open' check (state in ('open', 'delivered', 'failed')),
  created_at  timestamptz(3) not null,
  primary key (merchant_id, event_id)
);
-- R8: exactly one payment.paid event for a paid order.
create unique index events_order on events (merchant_id, order_id, type) where order_id is not null;
create index events_newest on events (merchant_id, created_at desc, event_id desc);
create index events_failed on events (merchant_id, created_at) where state = 'failed';

-- One row an attempt; the next one is written with the failure of the one before.
create table deliveries (
  merchant_id   bigint not null,
  delivery_id   bigint generated always as identity,
  event_id      text not null,
  -- Counts the attempts of an event; `step` is the place in the schedule, which a resend starts anew.
  attempt       int not null,
  step          int not null,
  -- The host that is called: at most a few attempts at once go to one destination of a business.
  destination   text not null,
  -- waiting → sending → delivered | failed. A lease that runs out fails, and the attempt is repeated in a new row.
  state         text not null check (state in ('waiting', 'sending', 'delivered', 'failed')),
  due_at        timestamptz(3) not null,
  leased_until  timestamptz(3),
  started_at    timestamptz(3),
  duration_ms   int,
  status_code   int,
  -- Why it failed, in words, and the first bytes of the answer as text.
  failure       text,
  response      text,
  request       jsonb,
  asked_by      text not null default 'schedule' check (asked_by in ('schedule', 'merchant')),
  primary key (merchant_id, delivery_id),
  foreign key (merchant_id, event_id) references events (merchant_id, event_id),
  check ((state = 'sending') = (leased_until is not null))
);
create unique index deliveries_event on deliveries (merchant_id, event_id, attempt);
-- An event is in the queue once, whoever asks for it again.
create unique index deliveries_active on deliveries (merchant_id, event_id) where state in ('waiting', 'sending');
create index deliveries_due on deliveries (due_at) include (merchant_id, destination) where state = 'waiting';
-- First attempts of real events, found newest first whatever else is waiting.
create index deliveries_live on deliveries (due_at) include (merchant_id, destination)
  where state = 'waiting' and attempt = 1 and asked_by = 'schedule';
create index deliveries_sending on deliveries (leased_until) include (merchant_id, destination) where state = 'sending';

-- Destinations that failed since their last success; the first success deletes the row.
create table failing_destinations (
  merchant_id   bigint not null references merchants,
  destination   text not null,
  failing_since timestamptz(3) not null,
  failures      int not null,
  last_failure  text not null,
  -- When the owner was told, so that the end is told too.
  told_at       timestamptz(3),
  primary key (merchant_id, destination)
);

-- 0005_notices.sql
-- What the owner of a business must know: shown on the dashboard, and mailed where the operator set up SMTP.

create table notices (
  merchant_id bigint not null references merchants,
  notice_id   bigint generated always as identity,
  kind        text not null,
  subject     text not null,
  text        text not null,
  -- The same thing told twice is told once.
  dedupe_key  text not null,
  created_at  timestamptz(3) not null,
  seen_at     timestamptz(3),
  -- When the mail is tried next, and while it is being tried the end of that lease; null once sent or given up.
  next_try_at timestamptz(3),
  tries       int not null default 0,
  sent_at     timestamptz(3),
  failure     text,
  primary key (merchant_id, notice_id)
);
create unique index notices_once on notices (merchant_id, dedupe_key);
create index notices_due on notices (next_try_at) where next_try_at is not null;

-- 0006_mailboxes.sql
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

-- 0008_accounts.sql
-- Who may do what on the dashboard: people, their sessions and second factors, invitations, and the record of what they did.

-- Business 0 is the installation itself: its users are the operators, and its audit log is theirs.
alter table users drop constraint users_merchant_id_fkey;
alter table users drop constraint users_role_check;
alter table users add constraint users_role_check
  check (role in ('owner', 'manager', 'support', 'developer', 'auditor', 'operator'));
alter table users add constraint users_operator_check check ((role = 'operator') = (merchant_id = 0));
-- Null: what the browser asks for.
alter table users add column language text check (language in ('en', 'hi'));
-- Sealed and bound to the row. The one that is being set up becomes the other once a code of it was entered.
alter table users add column totp_secret text;
alter table users add column totp_pending text;
-- The last time step whose code was used: a code that was looked at over a shoulder is worth nothing.
alter table users add column totp_last_step bigint not null default 0;

-- A token of 256 random bits is in the browser's cookie alone; here is its hash.
create table sessions (
  merchant_id  bigint not null,
  session_id   text not null,
  user_id      text not null,
  token_hash   bytea not null,
  -- code: the password was right and the second factor is still to come; such a session opens nothing else.
  stage        text not null check (stage in ('code', 'full')),
  created_at   timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- When the person last proved to be there: dangerous changes need this to be minutes ago.
  confirmed_at timestamptz(3) not null,
  address      text not null,
  agent        text not null,
  -- What the next page says once, after a redirect.
  flash        text,
  primary key (merchant_id, session_id),
  foreign key (merchant_id, user_id) references users (merchant_id, user_id) on delete cascade
);
create unique index sessions_token on sessions (merchant_id, token_hash);
create index sessions_user on sessions (merchant_id, user_id);

create table recovery_codes (
  merchant_id bigint not null,
  user_id     text not null,
  code_hash   bytea not null,
  used_at     timestamptz(3),
  primary key (merchant_id, user_id, code_hash),
  foreign key (merchant_id, user_id) references users (merchant_id, user_id) on delete cascade
);

create table passkeys (
  merchant_id   bigint not null,
  user_id       text not null,
  credential_id text not null,
  name          text not null,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null default '{}',
  created_at    timestamptz(3) not null,
  last_used_at  timestamptz(3),
  primary key (merchant_id, credential_id),
  foreign key (merchant_id, user_id) references users (merchant_id, user_id) on delete cascade
);

-- What a passkey is asked to sign; each is used once. Sign-in starts without knowing whose it is: business null.
create table passkey_challenges (
  challenge   text primary key,
  purpose     text not null,
  merchant_id bigint,
  user_id     text,
  expires_at  timestamptz(3) not null
);
create index passkey_challenges_old on passkey_challenges (expires_at);

-- Links that are mailed or handed over: joining a team, opening a business (business 0), a new password.
create table account_links (
  merchant_id   bigint not null,
  link_id       text not null,
  token_hash    bytea not null,
  purpose       text not null check (purpose in ('join', 'open_business', 'recover')),
  email         text not null,
  -- The role that joining gives, the name of the business to open, or the user who recovers.
  role          text,
  business_name text,
  user_id       text,
  made_by       text not null,
  created_at    timestamptz(3) not null,
  expires_at    timestamptz(3) not null,
  used_at       timestamptz(3),
  primary key (merchant_id, link_id)
);
create unique index account_links_token on account_links (merchant_id, token_hash);

-- Mails to one person, such as a recovery link. The text is sealed, because it holds the link, and wiped once sent.
create table account_mails (
  merchant_id bigint not null,
  mail_id     bigint generated always as identity,
  recipient   text not null,
  subject     text not null,
  sealed_text text,
  created_at  timestamptz(3) not null,
  -- When it is tried next, and while it is being tried the end of that lease; null once sent or given up.
  next_try_at timestamptz(3),
  tries       int not null default 0,
  sent_at     timestamptz(3),
  primary key (merchant_id, mail_id)
);
create index account_mails_due on account_mails (next_try_at) where next_try_at is not null;

-- Wrong guesses by whom and against whom, within a window; the subject is a hash.
create table guesses (
  subject      bytea primary key,
  failures     int not null,
  window_ends  timestamptz(3) not null
);
create index guesses_old on guesses (window_ends);

-- Who did what. Each row carries the hash of the one before it, so that no row can be changed, put in or taken out
-- of the middle without `verify` noticing; the trigger stops whoever tries by accident.
create table audit_log (
  merchant_id bigint not null,
  seq         bigint not null,
  at          timestamptz(3) not null,
  actor       text not null,
  action      text not null,
  subject     text not null,
  details     text not null,
  address     text not null,
  prior_hash  bytea not null,
  hash        bytea not null,
  primary key (merchant_id, seq)
);

create function audit_log_stays() returns trigger language plpgsql as $$
begin
  -- The end of a business removes its whole log, and says so first in the same transaction.
  if tg_op = 'DELETE' and current_setting('milaan.removing_business', true) = old.merchant_id::text then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_stays before update or delete on audit_log
  for each row execute function audit_log_stays();

-- The end of each chain, locked while a row is added; it also shows when rows are missing at the end.
create table audit_heads (
  merchant_id bigint primary key,
  seq         bigint not null,
  hash        bytea not null
);

-- 0009_screens.sql
-- What the screens read often: money that paid no order, and paid orders by the day of their payment.

create index alerts_unpaid on alerts (merchant_id, arrived_at desc, alert_id desc) where verdict <> 'paid';
create index orders_paid on orders (merchant_id, paid_at) include (payable_paise) where paid_at is not null;

-- 0010_own_bank.sql
-- Only the shop's own bank pays (R13), and no mail pays an order that was created after it arrived (R14).

-- The id of a bank's file. Null: not told yet, and then no alert pays an order on the account.
alter table upi_accounts add column bank text;
-- Since when bank and digits are these; what was paid before was held against others.
alter table upi_accounts add column bank_named_at timestamptz(3);

-- Accounts of before are at the bank that has paid their orders so far, where that was one bank and one account.
update upi_accounts u set bank = p.bank, account_digits = coalesce(u.account_digits, p.digits)
from (
  select o.merchant_id, o.account_id, min(a.bank) as bank, right(min(a.account_digits), 6) as digits
  from orders o join alerts a on a.merchant_id = o.merchant_id and a.alert_id = o.alert_id
  where o.status = 'paid'
  group by o.merchant_id, o.account_id
  having count(distinct (a.bank, a.account_digits)) = 1) p
where u.merchant_id = p.merchant_id and u.account_id = p.account_id;

update upi_accounts u set bank_named_at = greatest(u.created_at, (
  select max(o.paid_at) + interval '1 millisecond' from orders o
  where o.merchant_id = u.merchant_id and o.account_id = u.account_id));
alter table upi_accounts alter column bank_named_at set not null;

-- A payment that met no order is not held against later orders any more.
update alerts set next_try_at = null where verdict = 'no_order' and next_try_at is not null;

-- 0012_doubted_keys.sql
-- A key that does not fit a mail whose body is whole may be a passing lie of DNS: such a mail waits for a day.

-- When the key was first found not to fit. The looks that follow are counted from here.
alter table alerts add column doubted_at timestamptz(3);
-- Those that wait for a key: their bytes are bounded.
create index alerts_retrying on alerts (merchant_id) where verdict = 'retrying';

-- 0013_mail_and_time.sql
-- Mail servers that were restored from a backup, mailboxes that are read to the end, and orders that nobody can confirm.

-- The last mails read, each as uid/receipt/size/hash: a server that was restored gives their numbers to other mails.
alter table mailbox_positions add column last_mails text[] not null default '{}';

-- Set once its owner let go of a mailbox while orders were open: it is read until none of them can be paid any more.
alter table mailboxes add column read_until timestamptz(3);
create index mailboxes_ending on mailboxes (read_until) where read_until is not null;

-- Businesses that create orders which nobody can confirm, from the first such order until a mailbox is connected.
create table unconfirmable (
  merchant_id bigint primary key references merchants,
  since       timestamptz(3) not null,
  -- When the owner was told.
  told_at     timestamptz(3)
);
create index unconfirmable_untold on unconfirmable (merchant_id) where told_at is null;

-- 0014_create_order.sql
-- The whole create of an order as one function, so that it can lock before it looks (R6, R15; decision 13).

-- What the order that holds the amount was created with. Whoever drops the paise pays that, so nobody else is asked it.
alter table amounts add column amount_paise bigint;

-- R15. The paise of a rupee are a board of 10 × 10, tens by units. Here are four boards in a row, as one bit for each
-- paisa: all places on the board of this one that share its tens or its units.
create function neighbours_of(place int) returns bit language sql immutable as $$
  select (b'1111111111'::bit(400) >> place / 10 * 10)
    | (repeat('1000000000', 10)::bit(400) >> place / 100 * 100 + place % 10)
$$;

-- Of these places, which lie between first and last, those that have the fewest of the others for a neighbour.
create function fewest_neighbours(places bit, first int, last int, others bit) returns bit
language plpgsql immutable as $$
declare
  no_place constant bit(400) := b'0'::bit(400);
  neighbours int;
  fewest int := 400;
  chosen bit(400);
begin
  for place in first .. last loop
    continue when get_bit(places, place) = 0;
    neighbours := bit_count(others & neighbours_of(place));
    continue when neighbours > fewest;
    if neighbours < fewest then
      fewest := neighbours;
      chosen := no_place;
    end if;
    chosen := set_bit(chosen, place, 1);
  end loop;
  return chosen;
end $$;

-- §4.1: who calls, was the id used, on which account, within the plan, which amount is free, hold it, insert.
-- No outcome: the key is unknown. `lost_race`: somebody took the amount in spite of the locks; look again.
create function create_order(
  business bigint, presented_key bytea, new_order_id text, new_merchant_order_id text, new_amount bigint,
  new_created_at timestamptz, new_expires_at timestamptz, new_held_until timestamptz, new_pay_token text,
  new_account_id text, new_success_url text, new_failure_url text, new_webhook_url text, new_customer jsonb,
  out outcome text, out upgrade_url text, out limit_paise bigint, out collected_paise bigint,
  out next_free_at timestamptz, out payable_paise bigint, out account_id text, out vpa text, out payee_name text,
  out account_kind text, out merchant_code text
) language plpgsql as $$
declare
  no_place constant bit(400) := b'0'::bit(400);
  whole_rupees constant bit(400) := repeat(rpad('1', 100, '0'), 4)::bit(400);
  -- Places count the paise from the last whole rupee that is not above the amount.
  base constant int := new_amount % 100;
  origin constant bigint := new_amount - base;
  disabled boolean;
  account_limit int;
  history_days int;
  earlier_inside boolean;
  earlier_accounts int;
  first int := base + 1;
  last int := base + 99;
  locked text;
  held bit(400);
  near bit(400);
  swapped bit(400);
  used bit(400);
  asked bit(400);
  free bit(400);
  farthest bit(400);
  chosen int;
begin
  select m.disabled_at is not null or m.deletion_requested_at is not null, p.account_limit, p.history_days,
    p.monthly_limit_paise, p.upgrade_url
  into disabled, account_limit, history_days, limit_paise, upgrade_url
  from merchants m join plans p on p.plan = m.plan
  where m.merchant_id = business and (presented_key is null or exists (
    select from api_keys k where k.merchant_id = business and k.key_hash = presented_key and k.revoked_at is null));
  if not found then return; end if;
  if disabled then outcome := 'merchant_disabled'; return; end if;

  select history_days is null or o.created_at > new_created_at - history_days * interval '1 day' into earlier_inside
  from orders o
  where o.merchant_id = business and o.merchant_order_id = new_merchant_order_id and not o.id_released;
  if found then
    outcome := case when earlier_inside then 'replay' else 'id_outside_history' end;
    return;
  end if;

  select a.account_id, a.vpa, a.payee_name, a.kind, a.merchant_code
  into account_id, vpa, payee_name, account_kind, merchant_code
  from upi_accounts a
  where a.merchant_id = business and a.removed_at is null
    and case when new_account_id is null then a.is_default else a.account_id = new_account_id end;
  if not found then
    outcome := case when new_account_id is null then 'upi_not_configured' else 'invalid_payment_account' end;
    return;
  end if;
  if account_limit is not null then
    select count(*) into earlier_accounts
    from upi_accounts a join upi_accounts mine on mine.merchant_id = business and mine.account_id = create_order.account_id
    where a.merchant_id = business and a.removed_at is null
      and (a.created_at, a.account_id) < (mine.created_at, mine.account_id);
    if earlier_accounts >= account_limit then outcome := 'payment_account_paused'; return; end if;
  end if;
  if limit_paise is not null then
    select coalesce(sum(c.collected_paise), 0) into collected_paise from collections c
    where c.merchant_id = business and c.month = date_trunc('month', new_created_at at time zone 'Asia/Kolkata')::date;
    if collected_paise >= limit_paise then outcome := 'plan_limit_reached'; return; end if;
  end if;

  -- R6: offsets of 1…99 paise, and 100…299 only when all of those are held; never one that makes whole rupees.
  loop
    if first % 100 = 0 then first := first + 1; end if;
    if last % 100 = 0 then last := last - 1; end if;
    -- Creates that could meet on a rupee take turns until they are committed. Upwards, so that none wait in a circle.
    for board in first / 100 .. last / 100 loop
      locked := pg_advisory_xact_lock((business % 2147483647)::int, (origin / 100)::int + board);
    end loop;
    select bit_or(set_bit(no_place, place, 1)) filter (where is_held and is_near),
      bit_or(neighbours_of(place)) filter (where is_held and is_near),
      bit_or(set_bit(no_place, place / 100 * 100 + place % 10 * 10 + place / 10 % 10, 1)) filter (where is_held and is_near),
      bit_or(set_bit(no_place, place, 1)) filter (where is_near),
      bit_or(set_bit(no_place, (a.amount_paise - origin)::int, 1))
        filter (where is_held and a.amount_paise between origin + first and origin + last)
    into held, near, swapped, used, asked
    from amounts a cross join lateral (
      select (a.payable_paise - origin)::int as place, a.held_until > new_created_at as is_held,
        a.payable_paise < origin + last / 100 * 100 + 100 as is_near) as board
    where a.merchant_id = business
      -- An order asked for an amount up to `last` holds one up to 299 paise above it.
      and a.payable_paise between origin + first / 100 * 100 and origin + last + 299;
    free := (~ no_place >> first) & ~ (~ no_place >> last + 1) & ~ whole_rupees & ~ coalesce(held, no_place);
    exit when free <> no_place or last > base + 99;
    first := base + 100;
    last := base + 299;
  end loop;
  if free = no_place then
    outcome := 'all_payment_slots_busy';
    select min(a.held_until) into next_free_at from amounts a
    where a.merchant_id = business and a.payable_paise between new_amount + 1 and new_amount + 299
      and a.payable_paise % 100 <> 0 and a.held_until > new_created_at;
    return;
  end if;
  if free & ~ asked <> no_place then free := free & ~ asked; end if;

  -- R15: of the free places the one that shares the fewest digits with held ones; a held one with its digits swapped
  -- is the next worse. With six to eight held a place must leave others, or the tenth finds nothing but a whole rupee.
  farthest := free & ~ near;
  if held is null then
    farthest := free;
  elsif farthest = no_place then
    farthest := fewest_neighbours(free, first, last, held);
  end if;
  if farthest & ~ swapped <> no_place then farthest := farthest & ~ swapped; end if;
  if bit_count(held) between 6 and 8 then farthest := fewest_neighbours(farthest, first, last, free & ~ near); end if;
  free := farthest & ~ coalesce(used, no_place);
  if free <> no_place then
    -- Never used: the first from anywhere on.
    chosen := first + floor(random() * (last - first + 1));
    chosen := chosen + position(b'1' in free << chosen) - 1;
    if get_bit(free, chosen) = 0 then chosen := position(b'1' in free) - 1; end if;
  else
    -- The least recently used: a stale QR code paid long after must meet nobody.
    select a.payable_paise - origin into chosen from amounts a
    where a.merchant_id = business and a.payable_paise between origin + first and origin + last
      and substring(farthest from (a.payable_paise - origin)::int + 1 for 1) = b'1'
    order by a.held_until, a.payable_paise limit 1;
  end if;

  payable_paise := origin + chosen;
  insert into amounts as a (merchant_id, payable_paise, held_until, order_id, amount_paise)
  values (business, payable_paise, new_held_until, new_order_id, new_amount)
  on conflict on constraint amounts_pkey do update
    set held_until = excluded.held_until, order_id = excluded.order_id, amount_paise = excluded.amount_paise
    where a.held_until <= new_created_at;
  if not found then outcome := 'lost_race'; return; end if;
  insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
    expires_at, pay_token, account_id, success_url, failure_url, webhook_url, customer)
  values (business, new_order_id, new_merchant_order_id, new_amount, payable_paise, 'pending', new_created_at,
    new_expires_at, new_pay_token, account_id, new_success_url, new_failure_url, new_webhook_url, new_customer);
  -- Somebody has to tell the owner; see mailboxes/tell-unconfirmable.ts.
  if not exists (select from mailboxes m where m.merchant_id = business and m.read_until is null) then
    insert into unconfirmable (merchant_id, since) values (business, new_created_at) on conflict do nothing;
  end if;
  outcome := 'created';
end $$;

-- 0016_bank_life.sql
-- Banks change their mails while the service runs: what this installation adds to them, and what it sees of them.

-- Each is an entry as a file of a bank has it. A removed one stays: it tells why an alert of its time was believed.
create table bank_entries (
  entry_id   bigint generated always as identity primary key,
  bank       text not null,
  entry      jsonb not null,
  note       text not null default '',
  saved_at   timestamptz(3) not null,
  saved_by   text not null,
  removed_at timestamptz(3)
);

-- A line of the bank that nobody has listed yet keeps the credit below it from being read: one row however many mails.
create table held_lines (
  line_id      bigint generated always as identity primary key,
  bank         text not null,
  -- As it would be listed.
  line         text not null,
  -- The mail around it, with what is anybody's own replaced.
  surroundings text not null,
  first_seen   timestamptz(3) not null,
  -- When somebody said that it is not to be listed, or listed it.
  settled_at   timestamptz(3),
  mailed_at    timestamptz(3)
);
create unique index held_lines_once on held_lines (bank, md5(line));
alter table alerts add column held_line bigint;
create index alerts_held on alerts (held_line) where held_line is not null;
-- What is judged again once a bank is extended.
create index alerts_unreadable on alerts (bank, arrived_at) where verdict = 'unreadable';

-- Verdicts reached on one day of the Indian calendar.
create table bank_verdicts (
  bank    text not null,
  day     date not null,
  verdict text not null,
  mails   bigint not null,
  primary key (bank, day, verdict)
);
create index bank_verdicts_day on bank_verdicts (day);

-- How the mails look from which credits were read, without anybody's values.
create table bank_skeletons (
  bank       text not null,
  template   text not null,
  hash       bytea not null,
  skeleton   text not null,
  mails      bigint not null,
  first_seen timestamptz(3) not null,
  last_seen  timestamptz(3) not null,
  primary key (bank, template, hash)
);

-- Who wrote and signed in the name of a bank.
create table bank_sources (
  bank       text not null,
  kind       text not null check (kind in ('sender', 'domain', 'unlisted_domain')),
  source     text not null,
  mails      bigint not null,
  first_seen timestamptz(3) not null,
  last_seen  timestamptz(3) not null,
  primary key (bank, kind, source)
);

-- 0020_reasons.sql
-- Reasons are a code with its facts, worded where somebody reads them; sentences that were stored are quoted as they stand.

alter table alerts add column reason_code text;
alter table alerts add column facts jsonb not null default '{}';
update alerts set reason_code = 'quoted', facts = jsonb_build_object('sentence', reason) where reason <> '';
alter table alerts drop column reason;
-- Money by its reason, newest first.
create index alerts_reasons on alerts (merchant_id, reason_code, arrived_at desc, alert_id desc)
  where verdict <> 'paid';

-- Here code and facts stand in one value: nobody looks for them by their code.
alter table mailbox_states alter column last_error type jsonb
  using case when last_error is not null then jsonb_build_object('code', 'quoted', 'facts', jsonb_build_object('sentence', last_error)) end;
alter table deliveries alter column failure type jsonb
  using case when failure is not null then jsonb_build_object('code', 'quoted', 'facts', jsonb_build_object('sentence', failure)) end;
alter table failing_destinations alter column last_failure type jsonb
  using jsonb_build_object('code', 'quoted', 'facts', jsonb_build_object('sentence', last_failure));

-- What was told so far cannot be told in another language.
delete from notices;
alter table notices drop column subject;
alter table notices drop column text;
alter table notices add column facts jsonb not null;

-- Which languages there are, the texts say.
alter table users drop constraint users_language_check;

-- 0021_one_outbox.sql
-- One outbox: a letter to a person and the mail of a notice wait in one table and are sent by one worker.

alter table account_mails rename to mails;
alter index account_mails_pkey rename to mails_pkey;
alter sequence account_mails_mail_id_seq rename to mails_mail_id_seq;
drop index account_mails_due;
alter table mails
  -- A letter has a recipient and its own words. The mail of a notice has neither: it goes to whoever owns the business
  -- when it is sent, in the words and the language of that moment.
  alter column recipient drop not null,
  alter column subject drop not null,
  add column notice_id bigint,
  -- Not sent after this moment: a link that is over, news that are old.
  add column useful_until timestamptz(3),
  -- While this is in the future somebody is sending it; `next_try_at` alone says when it is due.
  add column leased_until timestamptz(3),
  add column failure text,
  add foreign key (merchant_id, notice_id) references notices on delete cascade,
  add check ((notice_id is null) = (recipient is not null and subject is not null));
update mails set useful_until = created_at + interval '1 hour';
alter table mails alter column useful_until set not null;

insert into mails (merchant_id, notice_id, created_at, useful_until, next_try_at, tries, sent_at, failure)
  select merchant_id, notice_id, created_at, created_at + interval '3 days', next_try_at, tries, sent_at, failure
  from notices;
drop index notices_due;
alter table notices drop column next_try_at, drop column tries, drop column sent_at, drop column failure;

-- Somebody may sit before a screen and wait for a letter: letters first.
create index mails_due on mails ((notice_id is not null), next_try_at) where next_try_at is not null;
create unique index mails_of_notices on mails (merchant_id, notice_id) where notice_id is not null;

-- 0022_addresses_at_arrival.sql
-- An alert is judged by the addresses of its arrival too, and its lease has the name that every lease has.

-- A mail may wait a day for a key, and its mailbox be let go of meanwhile: the bank wrote to the right address all the same.
alter table alerts add column addresses text[] not null default '{}';
alter table alerts rename column claimed_until to leased_until;

create table migrations (name text primary key, applied_at timestamptz not null default now());
set session_replication_role = replica;
insert into account_links (merchant_id, link_id, token_hash, purpose, email, role, business_name, user_id, made_by, created_at, expires_at, used_at) overriding system value select merchant_id, link_id, token_hash, purpose, email, role, business_name, user_id, made_by, created_at, expires_at, used_at from json_populate_recordset(null::account_links, $json$[
{"merchant_id":269003061328475,"link_id":"lnk_j4AkP2bOVZDxxcNh","token_hash":"\\x7f0169b8abb8069d2862ba755daba256b1fa4e4cf9b22b2cb507d283323b6bc2","purpose":"join","email":"guest-tx2z7k0pnh@shop.example","role":"support","business_name":null,"user_id":null,"made_by":"","created_at":"2026-12-01T06:42:00+00:00","expires_at":"2026-12-08T06:42:00+00:00","used_at":null}
]$json$);
insert into alerts (merchant_id, alert_id, raw, raw_bytes, arrived_at, found_in, verdict, judged_at, next_try_at, tries, claim, leased_until, bank, template, amount_paise, bank_reference, payer, account_digits, payee_vpa, alert_time, signature_id, other_signature_ids, signing_domain, selector, recipient, order_id, near_misses, doubted_at, held_line, reason_code, facts, addresses) overriding system value select merchant_id, alert_id, raw, raw_bytes, arrived_at, found_in, verdict, judged_at, next_try_at, tries, claim, leased_until, bank, template, amount_paise, bank_reference, payer, account_digits, payee_vpa, alert_time, signature_id, other_signature_ids, signing_domain, selector, recipient, order_id, near_misses, doubted_at, held_line, reason_code, facts, addresses from json_populate_recordset(null::alerts, $json$[
{"merchant_id":184863721715937,"alert_id":"al_af1db0d94b66599b09d852fc1a132e1f6037a3ce","raw":"\\x789c7553d96eea48107db7e47fa8b799512e78c14030180d61c718130804786bdb0576b0bb49779b255f3f220b9368e63e95549b4e9d73aae30ebdc23cd95122738e361c1da30ec4e18214444ccc72a50ea1c33125678cb4cf585715881c416814b0732120745fc433c90e29d62176da8c4aa4b2f0c409155be4852e0d5994d09d0db7d2e580b6aa8037f4ba85257291306a838742901d16861d1b3a44a20df33c78c150daf0c46ce87196d5e1d589a8d0e459d6417c41b8e2918e51ad5955d33275bd0e41ec0c5b8bbee6e36c63b24df094f915f3cd98ee2b7db7df2b716b535e2f7b295b6f2e2f3dcbb92e089cde319e25b5b3be8d07e9a65f9afa9d59359b7377214e548f5d6f507bce0fb2579af6a5c7d69d4169b9a8747b61add67ddefbdae364fa76d89a0f93da46556070f756d15fc26a9c085136b9cb42c22cb7bb1a69879771c9eb6bcb2837db49c515db64e90f465eccd693e1c827841df9bce67badbd3f3ec5a7f6eb5c5560e4f2a1369ae6e1eeb26a8fb66bdf23d19df6c4184bd7c7097d5d30b969b506fe2bcbc6a75d72cec7a50969e3e6f2360b5a89e9d3c53cdd9ddd24d21e55055e1e07ab7c78ec4d037d44ca62bef2e5fa745cb127bd1c9c4a8fcba3a54fb34777ea6fe373349cafd0db0b162ff7d1c6da92f6da1571d57d3dad7a8b79ac2a50b37a7982d31843f7be9475566c3cab5ce82cee8d64f8902cc8fef2f6c28d7b2b4b7b2dc75195ab8c36cc3f94830742f730a44292568a5c0a6890f7f8f7ffb9aba92a57237c76ec51ca140b84468514c9f6ab49556eae59b31c627244e0186272c4083246f10209850bcbf94f10240c594ea5aa7c598ffe02a30c13760453372b6098b6aedbba0e777ab9a4abca77b73656435c11762e8787c118773b49d370f3bb137e9ade28eaaaf2e32f40e2596ab1ccd23a8431e102a593cb6de1fe5bdf7f5fab1a24525554a5711d6c3602165d9aaad238343b4838b473215986fc57433b7ca49ff10f8e70e2894ce80e2483846e19cfaec4808c89549546d09c892258b55ad12a35b4a0093111102052107918a210db3c4d2f10728c128991aa48f67b5e01e915e8957bab641ac51b90f75b48281346a1839224a9b06fc50f2d8c72c1300a66e5969e238d90dbd09a0f5ab0eccebc16fcb99cb66c202226c523f28c7cb1ffd76d68311dc20cb7c89186081356b4c1306ba66ede57ac72f9fedfe5dfd07f26b5773a1befa23455e51f0473af58","raw_bytes":1332,"arrived_at":"2026-11-15T06:30:00+00:00","found_in":"sandbox","verdict":"paid","judged_at":"2026-11-15T06:30:00+00:00","next_try_at":null,"tries":1,"claim":null,"leased_until":null,"bank":"sandbox","template":"upi-sender-list","amount_paise":49943,"bank_reference":"129202864558","payer":"asha.verma@sandbox","account_digits":"4321","payee_vpa":null,"alert_time":"2026-11-15T06:30:00+00:00","signature_id":"f3b1d987f9c6250c5ed2b1c42297df16b4939c69d4cafc1f838244cef2d835a5","other_signature_ids":[],"signing_domain":"sandbox-bank.example","selector":"sandbox","recipient":"alerts@kettle-and-leaf.example","order_id":"ML-9112653992","near_misses":[],"doubted_at":null,"held_line":null,"reason_code":"paid","facts":{"order": "ML-9112653992"},"addresses":["alerts@kettle-and-leaf.example"]},
{"merchant_id":184863721715937,"alert_id":"al_1681fa112e1513382354ff7946a82c3fc650b337","raw":"\\x789c7553db72aa4a107da78a7fe8e7ed46064c24a258076fd17889f718de0618048501670605bffe94b99da4f63e4f5dd5d3ddb356afd5bdf168aaaca23dc52267c484b3a535015b8c63858758bfaf37c1b3188971417cf5233665097c8b63eabb69a1b8981eaba4c049169326845637a58250a1ac19a63c204ce9532ff523ba37e1eba9cc88294b301d4dfbca96301ea5d48429e11cef8932ea99d0c38298b0cadd03f18409ebd484014b93269c2c9f725514a209fc13c20d8fb034a351d750bd8e5013dcd00ad16cdaad0734c3c78749de89c66ce30c78bc7ac4bc5875d78bf9e1d9493aa3f18cdbd66d806bd1c96ebadb5dec641c9f5f76c5a921dc53f634cfe2eeb0c6fbc6f05a1cee3395b25a6571156e07a3e116254e9907fa29599f8291911769500997b62c01b57be312f55f7abbe3c8e186981fb64e453d1d8af8bc3b2e3d1d759fca97e32418d170c706d7c489c45823cfd1a1cffbc5d2b872dea96c71e35144a92c817af2d03e7b7216c9591da2759e3ed8975dc13703753b2ed1629618b33ad3f56ecdd6925ed778cdcfcb5c2f84fb78d582fe6830f6c961737716e7cedeb961f39f783a18649b997ebdbe0e6aa1b3a808bf41a3f5425551a543ba2c9c1d9d79994d869c64fdfa64b15885e3c15e5c75524c6a24d77751c3e9f95a284bc00efb4b699c2f4e053f648f972763e845ab7d7737d3e972d871dd7dcf7b2d5ed9e574701796254b37194d58bd2b071d4c8f30a25c603b264c7068e1b7f8cfdfdcd596a59b113e2a8e4488982898fa4a4c70f059244b5faed946e46282ed79694e05e4998f0581206550a639fb09c1563d597a37dd3a27bf0169d0231ee848af83a69b0899084105ddd7902c7df7696b7962c5655a2e11d1352f9a3d4f5e50fa7fe07fda5dab2259fa7111204821d450247113bc10334e84958b4079f856f7e751196e246449965ab7c676cb4dfdb22d4badacdd23984137e7224d08fbdd52b3f7f49257e1aed1a8dedd41c481e79e47380ff2382ec163c48f04f141a4ef3bc2efbb93a55fbfee6aba066e09dbb90d9887b87a262cc19f54c15e0d6dd8f697531b520a4853345dd1ebd5af5f5f6fe336f311881b03ec8928a5c0484018a11e019a272e613740f7c86868a856d311aafdd7fe5dac8fa4fac6b4f5b6afb62cfd0bed318e75","raw_bytes":1225,"arrived_at":"2026-12-01T06:30:00+00:00","found_in":"sandbox","verdict":"paid","judged_at":"2026-12-01T06:30:00+00:00","next_try_at":null,"tries":1,"claim":null,"leased_until":null,"bank":"sandbox","template":"upi-by-vpa","amount_paise":49944,"bank_reference":"507910332003","payer":"asha.verma@sandbox","account_digits":"4321","payee_vpa":null,"alert_time":"2026-12-01T06:30:00+00:00","signature_id":"63995fb065171c6a504a0ad014d8bd005236fc8161f72e0ecfc323a86661f1c7","other_signature_ids":[],"signing_domain":"sandbox-bank.example","selector":"sandbox","recipient":"alerts@kettle-and-leaf.example","order_id":"ML-0716666577","near_misses":[],"doubted_at":null,"held_line":null,"reason_code":"paid","facts":{"order": "ML-0716666577"},"addresses":["alerts@kettle-and-leaf.example"]},
{"merchant_id":184863721715937,"alert_id":"al_5035915d10e383d6a5d44b1f41abba2088410812","raw":"\\x789c7553db92aa48107c27827fa8e7e341b9282acac432e00547bc313a47df1a68108506e94661be7ec3b9ed4cecee5345545755675666594fb623b87144102b0bacc155970680f48222811e91dc5107e0eb054e508583d6471cf01c043a4524f0b24af01039377185d23cc10338ea664618264c782e10a1212e8411f1b3202691065f4f758e359e03c77646c20e1734ce88060ea6144558b02d0d2cc4b0066ee99db0cf3478ce341817593a808b1e10da62151b00fd8470c7c374a9db5725b1abc8e200bca37ee96f8f07290d974984a60d7916d7dbe8f54c5ef6f989cef27183741a8ba852edc8b5f5fb004fdfec51555c7d0fcb56d24b3bfe0aef46d7193a480bc7289efab7fea37f6b8f2365dece96bd0d3e3c6ee667b77b49f1e37c3edd3f4f0c366944f1e67ce43950abdbb63e1d1661660407cb3f38cabcbb3f298a945cfbcccc8d5ebc8a5e0cdbeb3e4de66634e934d45baf23b7d693b05cbee67986a757e7dcde5762b6e3392856cb75bd13ab98ad993ff28fe87c5b3d51d335e8b8672ae7ad6a2bebbd9dbaab7652d7b7dc1a5bab703e5e2859b8950c15c9d6eeb4f2623b934b89e740bc4c371db57125eeb57b5d4e8fc468fdb98999d856fac7cb9feeac5a5077f35a8fe9d669d5656eaa9717a333c7e9a996a661fcd4370cd1f39627d71cddb1a96e7744d8fa7541f07cae4ca4d5743c76dced7a74fe63ca2dab6a5bb3d6cd725cb31d19bace7377193570df95834744ce6013ca9091e0825118a2b7f8d77fb9eb81e7ee46f8a83863c6122c2012080946e16711cf7db96617e39b0686ef67256150e6016218c2ac803a2b8b9f108c96cf73efa67b2ef16f1025b0b00fb228ab20c99a246ba2080db1a3883cf7dda7436238e669799839a1b34cd34b612991f37fe07fda5d6a8a3cf7e32280e18ab58e2c4d06e01f514131d34b160abd6f75ff3eaaae17339ee3b9e1bdf161e86541fdc073c3fcc1c2a800b3a42c4b71f17bd8cadfd31bda8476bfdf543a1053a0a5ef634ac332496af00b1cc40c07c0b2f71da1f7ddf1dcaf5f6d4596c0ab61b73200d1236a5e7191a24faa60b8530376a38d634046409404491664b5f9f5ebfe3e6ebbb281dd19209fc519810287b8c0c4c740cad4c3c51d902a8b6a57eac952b7ddf9a7fdbb581fc9d61bd3e1dbbe1e78ee6f58b7887e","raw_bytes":1225,"arrived_at":"2026-12-01T06:42:00+00:00","found_in":"sandbox","verdict":"paid","judged_at":"2026-12-01T06:42:00+00:00","next_try_at":null,"tries":1,"claim":null,"leased_until":null,"bank":"sandbox","template":"upi-by-vpa","amount_paise":49935,"bank_reference":"620671821745","payer":"asha.verma@sandbox","account_digits":"4321","payee_vpa":null,"alert_time":"2026-12-01T06:42:00+00:00","signature_id":"21221ae954f92b21d107ec467aa86396d9285525de1c9b89d7c569243f8773d4","other_signature_ids":[],"signing_domain":"sandbox-bank.example","selector":"sandbox","recipient":"alerts@kettle-and-leaf.example","order_id":"ML-0155840817","near_misses":[],"doubted_at":null,"held_line":null,"reason_code":"paid","facts":{"order": "ML-0155840817"},"addresses":["alerts@kettle-and-leaf.example"]},
{"merchant_id":184863721715937,"alert_id":"al_f1c7f176fad7ff22e8c0f2ceaff93ea1dc5137aa","raw":"\\x789c75535d73aa48107da78affd0cf772fcaa0a0a2a4163f62884bbc51d4e8db002392c00cce0c22fefa2df37593babb4f5dd573bae7f4e9d3e399e76bcb34a158969cd87072501fb0c305d6c4011ba6d587c8e124c3671237df635f55207604a671c8ce5a88e94b839c715e64a40f0767c4a824546a01c754ec09d7263462714a131b3e9fea82d8aa02bee74fb435e12265d4069f088113a279631bc658121b9665f84c226943c06cb8e52cefc3d189a968cab3ec83f8a070e5231dd4e95948efb40cbd0fe1c141bb882d0ed42b8c0bebe571badda0552b6cb9b33ae859d324198d50700ab6d300759d6b83d0891979ea4e8fa37d3b16a2582ce607cf3c9a68e23f943e8bc36e7e3e76cdb35e0b8236f8883bcbf5acca26bde5a8baab9837f1934595a2367ac2aa02c67115acc6f72314d261387f1a8eeae1b64429ebdc6f73c2135c1f567e9ef260db43bc30743ff193d0dc941796946452bb45c57b667861a4632255017a37df6ddd68367e2c96875d344d86b5bfaf4f7715ad0bf389f3f3994ce287fc65794976457387f5a66f8db644acf2d3f479dc69caa965ddf64a163d105501b6ed44b3e0c9eaa675333d9aa597531115aeebcd27f7eeedadd5bea0fdee324aef134f7f30dafbe3e3a5debc6ca7c1703f64f570542da8eb55ad6a9d7155817f5629e94dd7d9c53bafdb7c164e97c9299a3dce52bf795c9656ba41b777c5ba8acdf626711c55b9aed186e5dbe66088e90b785448ec66844b0103fc1afffe2f77dda8cad508ef8817226546344c632d2378ff0152954fd7ac5352d9e046112ba984b288b124b0671c6a56f2ef14dc66a42a6fa60b4af2137404631281a11b1620c34686adebf0976eb67455f9ead3c17c2e869979a00f9caf8d6cd5bd17cff2ffc87fb73b6ae8aaf2ed224092b36c1e649ef5213a602e88744ab9d7ba5f707f1e55274ca5aaa8cae05a783308595cdfa8caa0b81913cc61540ac972c27f0e9ac55b7a211ad0eef51aba0ea90051461111625f66590d1127712a490c92bd6984dfb453951f3fda2d034158c3fa970b581c70e344788e3f46057779e7c27ab2f05d601474a4214333acc6e7afdb6bbbd52f0fe475021cc99451e0644f38a111015ae621e157426dc36a75f4765b4756ef77f9d765bd279baf930e5ef5ba51957f01298e8d4b","raw_bytes":1225,"arrived_at":"2026-12-01T06:42:00+00:00","found_in":"sandbox","verdict":"no_order","judged_at":"2026-12-01T06:42:00+00:00","next_try_at":null,"tries":1,"claim":null,"leased_until":null,"bank":"sandbox","template":"upi-by-vpa","amount_paise":49900,"bank_reference":"426370440169","payer":"asha.verma@sandbox","account_digits":"4321","payee_vpa":null,"alert_time":"2026-12-01T06:42:00+00:00","signature_id":"3d9c925e68333f622e22a75eca5366da96faba199700062e62acaad67b5e9b5e","other_signature_ids":[],"signing_domain":"sandbox-bank.example","selector":"sandbox","recipient":"alerts@kettle-and-leaf.example","order_id":null,"near_misses":[{"order_id": "ML-9281523243", "payable_paise": 49960}],"doubted_at":null,"held_line":null,"reason_code":"near_amounts","facts":{},"addresses":["alerts@kettle-and-leaf.example"]},
{"merchant_id":184863721715937,"alert_id":"al_c30b1635fb4b740faa7d16b1313ed12bd96e4d5f","raw":"\\x789c75535973b248147da78aff70df66a6f2a92c4604c51ae36ec40de292b7061a2142b776372afefa29b33849cd7c4fb7ea6e75ee39e7769f474ec94d7604899c610b4eb6da0064338e4a3c46da63ad0181cd708a2e38ac7cc6862c41687344429f5e4a3e22fb32bea0ec90e206c4768712818928790c111e6156ea91808609d959702f15076cc9123823a7575a61c6134a2c7030e768874ba3ae055d24b0056eeebfe14058e0510bfa8c660d38da21e11571110de05f106e7884ad1a664d550c5d531ae0c7f61355ce3bfd9c9ca638bbd637dd874ab1f54f0523b369b67b1ebc3ea28a3b755e3724dbd9b705befd1ceb115f2d1e12b45ace06073ed3afaed1dd461e9f4741d2397bce1aebc9f3a458e0e8b8363764991be2b83f2fcc6b6a90219d777b06a174b3912578c9e24cf7f6de2e7d385da3fcadba1eb98657f56ab54489d6438546ee5acf66ed7cf810c5e374bcd20e6c391df2f3c44db667e36999ccc7f1941de78f075902efb82f9693c39a7a7a116fea7cb0e984d5b930f6fded351e9993ac32316b22ddeecfd9196f6b4fa173191f2f558a9cd5f4daab14d16af6c2367ca1a19a2cc1eba5ce3a0e8d67c7539c4feaf3e568da31e72fdaae5b77d166d29f07de748bd0d6984fc9601c78ca7e7640233df42bfe299ec569513cf4066fa391b3bac8128cf31319af5e0b42527d3f669b6ea46dfb8b97c3b41b6eeb8eb7780debc37ee42f9f8e83b66dcbd24d460bdc0fe5e009913d8c0817a89d62263834d17bfcfbffdcd592a59b113e3bf65888149710094b2946d157932cdd5db3a539c4e88481e10027271c4246092e202150d09cfd04818280e644c8d287f5bc1cff0245852e0e4053b41aa89aa56a96a2c083f2a82bb2f4ddadcd4b9a1fcd8c770661b8eed75d5d2d34f57727fc34bd5a5664e9c75f80c0175189459636208811e358d8b9884af56f7dff7d2dc34f842cc952f336d86afa342c5ab2d43cb4ba1831e8e45cd00cb35fcdcae123bdc67f300c67968884ec405048484459762306448c842c35fdd69297a16a9a65b5deacf82d8811071f63023c0f02cc7994a7690101c3612270284b82fe9e57c0e406f4c67d55d7d4f21dc8fb2d28100925d0c5022529b7eec50f2d14b5a46a25ad764fbb98849859d076876d58f5964e1bfe5ccddb16201ea3f209b30c7db1ffd77de8653e82258e30c324c030a5650baaaa5eaf1aba699a8fcabfcbbfa1ff4c56dee96cbe8bd292a57f007643b032","raw_bytes":1332,"arrived_at":"2026-12-01T06:42:00+00:00","found_in":"sandbox","verdict":"paid","judged_at":"2026-12-01T06:42:00+00:00","next_try_at":null,"tries":1,"claim":null,"leased_until":null,"bank":"sandbox","template":"upi-sender-list","amount_paise":49918,"bank_reference":"413847399950","payer":"asha.verma@sandbox","account_digits":"4321","payee_vpa":null,"alert_time":"2026-12-01T06:42:00+00:00","signature_id":"ece3dfa5823ca6d471f8abb7ebce460ebdb30778367696c3e6f14c20d6cbf5b2","other_signature_ids":[],"signing_domain":"sandbox-bank.example","selector":"sandbox","recipient":"alerts@kettle-and-leaf.example","order_id":"ML-0553307790","near_misses":[],"doubted_at":null,"held_line":null,"reason_code":"paid","facts":{"order": "ML-0553307790"},"addresses":["alerts@kettle-and-leaf.example"]},
{"merchant_id":184863721715937,"alert_id":"al_93eca765d6390d3d9245ced8372941fc8ceb9a81","raw":"\\x789c7553db92a248107d27827fc8e77150c00b82d2b1b488e2a55b05af6f05948a42951685a25fbf61dfb63b66f62923b24e669d9379d21eba63c98b7704f19c61032ea6d20264b20c49d91ea9f5460b4293e1041538aa7cc496284064668844012da40091631917283d25b8057bb34309c7844b3e4324db6226754948a398ec0cf87aba9db0210a3076c75d698159165362c0186719da61c9b50db011c706787970c02137c0a706388ca62d389b11c92abce02dc83e293cf87053d1f486226b55556e41b037e5e3f062a9d97dbd5a85a31e5de28a1f6eee3bf9ea0ee68398c5dd4b2752279b48af1ccd4783c0f457d59566e94ada3b127b35d0ae091d38a4eee45d65c9f6a7d2b5daccd7d6cbec7a44c3becd2bcda8f00e78df28e6ca3ae9361cda4b5346cfcba6288055e2039a4eeedd81aaed07b392537a56f066d53bf646d573b4b59ded2c9af0c559393dabf5dbfcb824eef999a2de9a78f7c674755aa7dda64a9b4ec5bd88027402279e7aae57f8f7a3323a5b27d5e98413dd2f36050bec738947577d5f520f2bee9dd585af1fa2f1f035f468a719548bfde830bfdb98bdf4377eb3fb503a1fddec425b8f74bea1727d5dad9129f337899fd6a7fa4519cd7672bed3742f9ed7e5e230bcfa4e84fb6163bc886aaf8d97e5a8aff9a5c5ca496707260a7092af0af15d96a4d3a95651d2c192cdbd22beafee9386fd3ac2b9dc5dbe4cec8973d9ec4c53141e6b34c07bdf1c3c23720497641c5909663c83367a8bfffccd5d4fa2f030c207e288394fb084482425186d3f41a2f0e59a458caf0658614873c2213f458863d85206379ab39f14ac4a280aefa6f373fc1b64056c1c822aab0d505443510d5986925cafcaa2f0dda7ede1ebe6306fba9dcdc019f5afc5444637fdffc8ffb4bb529645e1c74500c705afec799ab420dc2396616ee67c2b35bfe1fe3c2a2d88b9288842fb51f8d40e68747b1285f6e9c9c6884127cf384d31fbddae9cded3b3ac0c355d2f2b4d8833c8f230c459b6cd93e40621c351cc71049cbecf08bdcf4e147efdaa555505821b2c2616a06c8fca17cc52f429152caf6fc1a23b1b5b4009c88aa4a892da287ffdba7eb49b4f5ce00f0528e43125c0f016334c420c244f03cc1e8474a55eaf29ba5693b5ea7fe5df97f591acbc296dbfcdeb4914fe0586a68975","raw_bytes":1225,"arrived_at":"2026-12-01T06:42:00+00:00","found_in":"sandbox","verdict":"extra_payment","judged_at":"2026-12-01T06:42:00+00:00","next_try_at":null,"tries":1,"claim":null,"leased_until":null,"bank":"sandbox","template":"upi-by-vpa","amount_paise":49918,"bank_reference":"915541974073","payer":"asha.verma@sandbox","account_digits":"4321","payee_vpa":null,"alert_time":"2026-12-01T06:42:00+00:00","signature_id":"f91288e6a1bcf3c4a894cc956b3112140a10d909775970fe5f47a305d92ed380","other_signature_ids":[],"signing_domain":"sandbox-bank.example","selector":"sandbox","recipient":"alerts@kettle-and-leaf.example","order_id":"ML-0553307790","near_misses":[],"doubted_at":null,"held_line":null,"reason_code":"paid_already","facts":{"order": "ML-0553307790"},"addresses":["alerts@kettle-and-leaf.example"]},
{"merchant_id":184863721715937,"alert_id":"al_7395304ba993090854ff1a41a0762106f057d509","raw":"\\x789c75535d73aa48107da78affd0cf3717f9120d28a9c5a091aba8f18368de0618840803ce0c2af9f55be66b93dadda7aeea39dd73faf46977e2f9d22adb13c46b8a2d38d96a0f904d1992588a34a3d383c8a63847171ccb1fb1270a10db0c91382c2f5288c8a1852fa8a872dc83d4be2f09c7844b6b8a084b309586242ae38cec2df87a6a2a6c8902f89e3f94024c5956120b7ccc18da63c9732d7011c716aceaf00547dc827569c18896450f8e764c98cc2fbc07ec93c2950fb7d5aed95195aeae293d08535bcf96f3d5c819657a546d068305dddf1c63dd39eb38097cff66a176e4259f1bb93339d8d706a13d8a77d1dcc7cebd39db1ace8bbc3eb27bf634d92d0372f107abf970abccc8e63250b6177980f6fb647a5cb6d3b8fd8add283cebc6ec919aae17bd32518068933d4c39f38d464fd7c506af8c3a787cf537cfe34bbec4536d836e5d93f020a459c8d2e39f4a0dce6c374fc6eda71037c6d09df8ed63daacf0d2140598d3edf0b579de8d46dab87096aa9b745d42159ff19b17e7de8bb7e6613a6bd3e9618c52ef5cec87d5b6742718d7cc33777eda31c3983f9ca741952c450152a71b9ff291e346fb993f5ed4c56970ca478be8051be1e1354817f3e7c707f93cea16ba5f9d778b7071ef8e3c254063463c6d1b86be9c3073830fb9210ad0284f0bc33d3f6eb6559b372f4d55c7e1ecc61d9c72d91b06d17073528b5d79d8ad79f068dba2705da305abf7cdc1009103788471e4e49872067df416fffa2f77dd89c2d5081f8803e63cc71222b19463947c8244e1cb354186cf16385154d684435dc58863484a0a4d59d39f141c39128577d3ad6bfc1b14155c1c81a6681d50354bd52c45811bc5d01551f8eed3fe7ab71aeee8f9504d262c9becb3d3765dfe1ff99f76575b8a28fcb808e0f8c2e59417790fa2145186b95df344bafd86fbf75175c38c8b8228f4af8577fdb08c9b3b51e857772e4614ee6bc6cb02d3df7db97a4f2f590bdaa6d93254c818b03a8a3063499de70d4414c719c731f0f25d23f4ae9d28fcfad5d63515c20682850388a5a875c2b4409fa382b31a3b100c97be0325014595544dd23aadaf5f77d7769b8507fc3a018a785612a038c114930803a98b10d32ba1dbb6a19bbad1d60d4dfda7fcfbb23e92f2dba4fd37bdee44e16f88c08ca9","raw_bytes":1225,"arrived_at":"2026-12-01T06:42:00+00:00","found_in":"sandbox","verdict":"forged","judged_at":"2026-12-01T06:42:00+00:00","next_try_at":null,"tries":1,"claim":null,"leased_until":null,"bank":"sandbox","template":null,"amount_paise":null,"bank_reference":null,"payer":null,"account_digits":null,"payee_vpa":null,"alert_time":null,"signature_id":null,"other_signature_ids":[],"signing_domain":null,"selector":null,"recipient":null,"order_id":null,"near_misses":null,"doubted_at":null,"held_line":null,"reason_code":"body_changed","facts":{},"addresses":["alerts@kettle-and-leaf.example"]},
{"merchant_id":184863721715937,"alert_id":"al_a32e097268c5f8b394b59ad471376897c4016b95","raw":"\\x789c7553c972a34810bd13c13fe4ad67c22d81d0824042d1da25b7906dedf2ad804480a00a57155afcf513b2db1e77ccf42923728b97efbd1cfc9cbaa5657ca044161c6d3839951610870b52121131ea8d16f80ec7945c30d07ec596aa40e00842038f5d4a1ea1c7325e4896a7d882c8e9332a91cad28a132a42e4a521f55910d3830d9fa56b8eb6aa803b7587a50d7211336a838b42900396a6031b0644a20dcbc24bd09736ac980d23ceb216bc3801159abcc816880f08373cd2a99856a3a29b55436f811739cfeed1f21e76ddbb47eed5b5faeb62724958bea89a843c18e759ef3c465ee7b9ceee87ce6d81e7f4500f46d5e47e3f8f333cf6ebbbda9dd95dafa3466fffba7d5dbcc8d78d56f0a79a3e97c3e3e1b4eefa3c3bb2ed8817d3ed44d2e4b1dbebe7d74406aa026960bab1d7f727c399f99085bc18cf66f1811ec6f3e665b2f08666fc1a5ef2e67d1a6dcfbd45a8217fa95af16a7fd9ee581aeee7d6d3516cfc396b244455e07e546587e5293f9c0ee25237cfee0bb592b1766ef2a8b61e1fc78d59583999bd7b635bdd31ba5be54f69c2efeafa428cdcfcd91f45976a839bb3fcc9f55505f8363e1ae31eab58f5de0b1de7b3c3c34fed79ee3eeff0d108f59e3b4aacec7c0d8e6933186dfcf5e29a34b5dd2492cbb49b5e4e7c739c07f97859d4925755012dc17463ccbcfe793f8e2cd13b344cdc3db9da6426f3a81e8ed7094f695c1b64f5f3d97154e526a30dcb77e5a047e811a65448d24d914b016df2167ffc9fbb3aaa72338260197a2cb8963015f883502623e42511b1fca351553e9db3670544e484c0d1c7f88401648ce215620a5756f0df8110df670595aaf26ebf5581df41afc0007d3074a30115c3ae18b6aec39d5eafeaaaf2d5b1ede04afa213d6ed6c21ccbe67c97bac3d59fcef8ddf895b2ae2abffd0648bc482d9259da023f225ca0740a19969a5ffafefb5ea6174b555195f66db0d3be71d4519576de1920e1d02f846419f2ef6d2d7f4f6ff11b4738f358c6f40092414c43c6b31b3120232255a5ed7516a20c35cb2a9b465bf33a1011011e220551f83e0a1116697a059f63104b0c5445b23ff30a486f406fdcd7aa46a5fc09e4ed16e2cb985118a024712aeccfe2bb167aa554314a46e333bd441a20b7a1bb9c7461335cb85df86bf3d8b5818888944fc833f2c1fedf9f43ebc7292c30448ed44798b3b20dcd5ad368e89669594de3dfe55fd0ff4a6a6f74b6df44e9a8ca3fdc68b20f","raw_bytes":1336,"arrived_at":"2026-12-01T06:42:00+00:00","found_in":"sandbox","verdict":"wrong_recipient","judged_at":"2026-12-01T06:42:00+00:00","next_try_at":null,"tries":1,"claim":null,"leased_until":null,"bank":"sandbox","template":"upi-sender-list","amount_paise":49972,"bank_reference":"848260979982","payer":"asha.verma@sandbox","account_digits":"4321","payee_vpa":null,"alert_time":"2026-12-01T06:42:00+00:00","signature_id":"49e5b95e491b80388199df65c655fc8ce88aea3469a5842ec523e9dd473cdb5b","other_signature_ids":[],"signing_domain":"sandbox-bank.example","selector":"sandbox","recipient":null,"order_id":null,"near_misses":null,"doubted_at":null,"held_line":null,"reason_code":"addressed_elsewhere","facts":{"recipients": "somebody-else@another-shop.example"},"addresses":["alerts@kettle-and-leaf.example"]},
{"merchant_id":269003061328475,"alert_id":"alt_tx2z7k0pnh","raw":null,"raw_bytes":10,"arrived_at":"2026-12-01T06:42:00+00:00","found_in":"INBOX","verdict":"no_order","judged_at":null,"next_try_at":null,"tries":0,"claim":null,"leased_until":null,"bank":null,"template":null,"amount_paise":null,"bank_reference":null,"payer":null,"account_digits":null,"payee_vpa":null,"alert_time":null,"signature_id":null,"other_signature_ids":[],"signing_domain":null,"selector":null,"recipient":null,"order_id":null,"near_misses":null,"doubted_at":null,"held_line":null,"reason_code":null,"facts":{},"addresses":[]}
]$json$);
insert into amounts (merchant_id, payable_paise, held_until, order_id, amount_paise) overriding system value select merchant_id, payable_paise, held_until, order_id, amount_paise from json_populate_recordset(null::amounts, $json$[
{"merchant_id":184863721715937,"payable_paise":49924,"held_until":"2026-11-15T06:47:00+00:00","order_id":"ML-8653347594","amount_paise":49900},
{"merchant_id":184863721715937,"payable_paise":49943,"held_until":"2026-11-15T06:47:00+00:00","order_id":"ML-9112653992","amount_paise":49900},
{"merchant_id":184863721715937,"payable_paise":49944,"held_until":"2026-12-01T06:47:00+00:00","order_id":"ML-0716666577","amount_paise":49900},
{"merchant_id":184863721715937,"payable_paise":49935,"held_until":"2026-12-01T06:47:00+00:00","order_id":"ML-0155840817","amount_paise":49900},
{"merchant_id":184863721715937,"payable_paise":49960,"held_until":"2026-12-01T06:59:00+00:00","order_id":"ML-9281523243","amount_paise":49900},
{"merchant_id":184863721715937,"payable_paise":49918,"held_until":"2026-12-01T06:59:00+00:00","order_id":"ML-0553307790","amount_paise":49900},
{"merchant_id":184863721715937,"payable_paise":49951,"held_until":"2026-12-01T06:59:00+00:00","order_id":"ML-1126616606","amount_paise":49900},
{"merchant_id":184863721715937,"payable_paise":49972,"held_until":"2026-12-01T06:59:00+00:00","order_id":"ML-0789209082","amount_paise":49900},
{"merchant_id":184863721715937,"payable_paise":49983,"held_until":"2026-12-01T06:59:00+00:00","order_id":"ML-7025774225","amount_paise":49900},
{"merchant_id":269003061328475,"payable_paise":49937,"held_until":"2026-12-01T06:59:00+00:00","order_id":"ML-3519705511","amount_paise":49900}
]$json$);
insert into api_keys (merchant_id, key_hash, key_id, name, created_at, last_used_at, revoked_at) overriding system value select merchant_id, key_hash, key_id, name, created_at, last_used_at, revoked_at from json_populate_recordset(null::api_keys, $json$[
{"merchant_id":184863721715937,"key_hash":"\\xc96c5a441464dd030432e67ad84805c37472bec62607dddcaa7712de685398dc","key_id":"key_IeBHK1R5ADw1b03Y","name":"Sandbox","created_at":"2026-11-15T06:30:00+00:00","last_used_at":null,"revoked_at":null},
{"merchant_id":269003061328475,"key_hash":"\\xe0bd8baaad213d7c102e8a52f522640050fd5f0ea0926acef323c8bb8a3e428e","key_id":"key_qv0BadCriZKzHa76","name":"test","created_at":"2026-12-01T06:42:00+00:00","last_used_at":null,"revoked_at":null}
]$json$);
insert into audit_heads (merchant_id, seq, hash) overriding system value select merchant_id, seq, hash from json_populate_recordset(null::audit_heads, $json$[
{"merchant_id":269003061328475,"seq":1,"hash":"\\xcc548700fb9252c83d4e56ea2f2568079d34ab49bf68f84b5b04d597628c02d1"}
]$json$);
insert into audit_log (merchant_id, seq, at, actor, action, subject, details, address, prior_hash, hash) overriding system value select merchant_id, seq, at, actor, action, subject, details, address, prior_hash, hash from json_populate_recordset(null::audit_log, $json$[
{"merchant_id":269003061328475,"seq":1,"at":"2026-12-01T06:42:00+00:00","actor":"tx2z7k0pnh","action":"test","subject":"tx2z7k0pnh","details":"","address":"","prior_hash":"\\x","hash":"\\xcc548700fb9252c83d4e56ea2f2568079d34ab49bf68f84b5b04d597628c02d1"}
]$json$);
insert into bank_entries (entry_id, bank, entry, note, saved_at, saved_by, removed_at) overriding system value select entry_id, bank, entry, note, saved_at, saved_by, removed_at from json_populate_recordset(null::bank_entries, $json$[
{"entry_id":1,"bank":"hdfc","entry":{"bank": "hdfc"},"note":"","saved_at":"2026-11-15T19:46:45.442+00:00","saved_by":"op","removed_at":null}
]$json$);
insert into bank_skeletons (bank, template, hash, skeleton, mails, first_seen, last_seen) overriding system value select bank, template, hash, skeleton, mails, first_seen, last_seen from json_populate_recordset(null::bank_skeletons, $json$[
{"bank":"sandbox","template":"upi","hash":"\\x01","skeleton":"You got #","mails":5,"first_seen":"2026-11-15T19:46:45.413+00:00","last_seen":"2026-11-15T19:46:45.413+00:00"}
]$json$);
insert into bank_sources (bank, kind, source, mails, first_seen, last_seen) overriding system value select bank, kind, source, mails, first_seen, last_seen from json_populate_recordset(null::bank_sources, $json$[
{"bank":"sandbox","kind":"sender","source":"alerts@bank.example","mails":5,"first_seen":"2026-11-15T19:46:45.413+00:00","last_seen":"2026-11-15T19:46:45.413+00:00"}
]$json$);
insert into bank_verdicts (bank, day, verdict, mails) overriding system value select bank, day, verdict, mails from json_populate_recordset(null::bank_verdicts, $json$[
{"bank":"sandbox","day":"2026-11-15","verdict":"paid","mails":5}
]$json$);
insert into collections (merchant_id, month, collected_paise, removed_paise) overriding system value select merchant_id, month, collected_paise, removed_paise from json_populate_recordset(null::collections, $json$[
{"merchant_id":184863721715937,"month":"2026-11-01","collected_paise":49943,"removed_paise":49943},
{"merchant_id":184863721715937,"month":"2026-12-01","collected_paise":149797,"removed_paise":0}
]$json$);
insert into counted_references (merchant_id, bank_reference, alert_id, counted_at) overriding system value select merchant_id, bank_reference, alert_id, counted_at from json_populate_recordset(null::counted_references, $json$[
{"merchant_id":184863721715937,"bank_reference":"129202864558","alert_id":"al_af1db0d94b66599b09d852fc1a132e1f6037a3ce","counted_at":"2026-11-15T06:30:00+00:00"},
{"merchant_id":184863721715937,"bank_reference":"507910332003","alert_id":"al_1681fa112e1513382354ff7946a82c3fc650b337","counted_at":"2026-12-01T06:30:00+00:00"},
{"merchant_id":184863721715937,"bank_reference":"620671821745","alert_id":"al_5035915d10e383d6a5d44b1f41abba2088410812","counted_at":"2026-12-01T06:42:00+00:00"},
{"merchant_id":184863721715937,"bank_reference":"426370440169","alert_id":"al_f1c7f176fad7ff22e8c0f2ceaff93ea1dc5137aa","counted_at":"2026-12-01T06:42:00+00:00"},
{"merchant_id":184863721715937,"bank_reference":"413847399950","alert_id":"al_c30b1635fb4b740faa7d16b1313ed12bd96e4d5f","counted_at":"2026-12-01T06:42:00+00:00"},
{"merchant_id":184863721715937,"bank_reference":"915541974073","alert_id":"al_93eca765d6390d3d9245ced8372941fc8ceb9a81","counted_at":"2026-12-01T06:42:00+00:00"},
{"merchant_id":269003061328475,"bank_reference":"tx2z7k0pnh","alert_id":"alt_tx2z7k0pnh","counted_at":"2026-12-01T06:42:00+00:00"}
]$json$);
insert into counted_signatures (signature_id, merchant_id, alert_id, settled, counted_at) overriding system value select signature_id, merchant_id, alert_id, settled, counted_at from json_populate_recordset(null::counted_signatures, $json$[
{"signature_id":"f3b1d987f9c6250c5ed2b1c42297df16b4939c69d4cafc1f838244cef2d835a5","merchant_id":184863721715937,"alert_id":"al_af1db0d94b66599b09d852fc1a132e1f6037a3ce","settled":true,"counted_at":"2026-11-15T06:30:00+00:00"},
{"signature_id":"63995fb065171c6a504a0ad014d8bd005236fc8161f72e0ecfc323a86661f1c7","merchant_id":184863721715937,"alert_id":"al_1681fa112e1513382354ff7946a82c3fc650b337","settled":true,"counted_at":"2026-12-01T06:30:00+00:00"},
{"signature_id":"21221ae954f92b21d107ec467aa86396d9285525de1c9b89d7c569243f8773d4","merchant_id":184863721715937,"alert_id":"al_5035915d10e383d6a5d44b1f41abba2088410812","settled":true,"counted_at":"2026-12-01T06:42:00+00:00"},
{"signature_id":"3d9c925e68333f622e22a75eca5366da96faba199700062e62acaad67b5e9b5e","merchant_id":184863721715937,"alert_id":"al_f1c7f176fad7ff22e8c0f2ceaff93ea1dc5137aa","settled":false,"counted_at":"2026-12-01T06:42:00+00:00"},
{"signature_id":"ece3dfa5823ca6d471f8abb7ebce460ebdb30778367696c3e6f14c20d6cbf5b2","merchant_id":184863721715937,"alert_id":"al_c30b1635fb4b740faa7d16b1313ed12bd96e4d5f","settled":true,"counted_at":"2026-12-01T06:42:00+00:00"},
{"signature_id":"f91288e6a1bcf3c4a894cc956b3112140a10d909775970fe5f47a305d92ed380","merchant_id":184863721715937,"alert_id":"al_93eca765d6390d3d9245ced8372941fc8ceb9a81","settled":true,"counted_at":"2026-12-01T06:42:00+00:00"},
{"signature_id":"sig tx2z7k0pnh","merchant_id":269003061328475,"alert_id":"alt_tx2z7k0pnh","settled":false,"counted_at":"2026-12-01T06:42:00+00:00"}
]$json$);
insert into deliveries (merchant_id, delivery_id, event_id, attempt, step, destination, state, due_at, leased_until, started_at, duration_ms, status_code, failure, response, request, asked_by) overriding system value select merchant_id, delivery_id, event_id, attempt, step, destination, state, due_at, leased_until, started_at, duration_ms, status_code, failure, response, request, asked_by from json_populate_recordset(null::deliveries, $json$[
{"merchant_id":184863721715937,"delivery_id":1,"event_id":"evt_63d93924b0338a0193fb6961931e2fdc","attempt":1,"step":0,"destination":"shop.example.com","state":"delivered","due_at":"2026-11-15T06:30:00+00:00","leased_until":null,"started_at":"2026-11-15T06:30:00+00:00","duration_ms":12,"status_code":200,"failure":null,"response":"thanks","request":{"url": "https://shop.example.com/hooks/upi", "headers": {"webhook-id": "evt_63d93924b0338a0193fb6961931e2fdc"}},"asked_by":"schedule"},
{"merchant_id":184863721715937,"delivery_id":2,"event_id":"evt_eb73aeef28e7d30b2139349541b98e2d","attempt":1,"step":0,"destination":"shop.example.com","state":"delivered","due_at":"2026-12-01T06:30:00+00:00","leased_until":null,"started_at":"2026-11-23T06:30:00+00:00","duration_ms":12,"status_code":200,"failure":null,"response":"thanks","request":{"url": "https://shop.example.com/hooks/upi", "headers": {"webhook-id": "evt_eb73aeef28e7d30b2139349541b98e2d"}},"asked_by":"schedule"},
{"merchant_id":184863721715937,"delivery_id":3,"event_id":"evt_199faccca8cee098a5638d6ade755b38","attempt":1,"step":0,"destination":"shop.example.com","state":"failed","due_at":"2026-12-01T06:42:00+00:00","leased_until":null,"started_at":"2026-11-23T06:30:00+00:00","duration_ms":12,"status_code":500,"failure":{"code": "answered", "facts": {"status": 500}},"response":"sorry","request":{"url": "https://shop.example.com/hooks/upi", "headers": {"webhook-id": "evt_199faccca8cee098a5638d6ade755b38"}},"asked_by":"schedule"},
{"merchant_id":184863721715937,"delivery_id":5,"event_id":"evt_199faccca8cee098a5638d6ade755b38","attempt":2,"step":1,"destination":"shop.example.com","state":"waiting","due_at":"2026-12-01T06:42:04.678+00:00","leased_until":null,"started_at":null,"duration_ms":null,"status_code":null,"failure":null,"response":null,"request":null,"asked_by":"schedule"},
{"merchant_id":184863721715937,"delivery_id":4,"event_id":"evt_9927d2feee312b2a233c446637dc73ef","attempt":1,"step":0,"destination":"shop.example.com","state":"failed","due_at":"2026-12-01T06:42:00+00:00","leased_until":null,"started_at":"2026-11-23T06:30:00+00:00","duration_ms":12,"status_code":410,"failure":{"code": "answered", "facts": {"status": 410}},"response":"sorry","request":{"url": "https://shop.example.com/hooks/upi", "headers": {"webhook-id": "evt_9927d2feee312b2a233c446637dc73ef"}},"asked_by":"schedule"},
{"merchant_id":184863721715937,"delivery_id":6,"event_id":"evt_XVkPHd1vRgmEl9O8AtSYefVJ6IDQtNZm","attempt":1,"step":11,"destination":"shop.example.com","state":"sending","due_at":"2026-12-01T06:42:00+00:00","leased_until":"2026-12-01T06:42:30+00:00","started_at":"2026-12-01T06:42:00+00:00","duration_ms":null,"status_code":null,"failure":null,"response":null,"request":null,"asked_by":"merchant"},
{"merchant_id":269003061328475,"delivery_id":7,"event_id":"evt_tx2z7k0pnh","attempt":1,"step":0,"destination":"shop.example","state":"failed","due_at":"2026-12-01T06:42:00+00:00","leased_until":null,"started_at":null,"duration_ms":null,"status_code":null,"failure":null,"response":null,"request":null,"asked_by":"schedule"}
]$json$);
insert into dkim_keys (name, record, first_seen, last_seen) overriding system value select name, record, first_seen, last_seen from json_populate_recordset(null::dkim_keys, $json$[
{"name":"sandbox._domainkey.sandbox-bank.example","record":"v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAv/AQqM8ilYKMntKXXs0AmuuKpSjFHsCCPBGtR2gsXXiC5/nqz0Hn5E2YxdMp7dICtaEIgqokssV7TCvlp8RZvC7AhJLDkuiAVjtAbSfXX7KHG9hY30InZcOdzCFhy32esAmhZCcQCKM0ynfqQ3D+q16+Pu4d0HN4zt6tTP6Jczdky7rsraspdiCuBVsY20s2oULJxHhYlKrJjyA5al1vf6FDB8NP3gqb9V7dqs4CmfyLKlOoGw4RxCuyo5AUwwgl35vaInLPWZC8prS0IA/at4zqUyfPY9tRMyP/uKY3vhmnnNaOEds+tqaqSaW4S3YN0lOr1kP4JJBhvfQX1mkYbwIDAQAB","first_seen":"2026-11-15T06:30:00+00:00","last_seen":"2026-12-01T06:42:00+00:00"}
]$json$);
insert into events (merchant_id, event_id, type, order_id, webhook_url, body, state, created_at) overriding system value select merchant_id, event_id, type, order_id, webhook_url, body, state, created_at from json_populate_recordset(null::events, $json$[
{"merchant_id":184863721715937,"event_id":"evt_63d93924b0338a0193fb6961931e2fdc","type":"payment.paid","order_id":"ML-9112653992","webhook_url":"https://shop.example.com/hooks/upi","body":"{\"type\":\"payment.paid\",\"timestamp\":\"2026-11-15T06:30:00.000Z\",\"data\":{\"order_id\":\"ML-9112653992\",\"merchant_order_id\":\"old-2\",\"amount\":499,\"payable_amount\":499.43,\"status\":\"paid\",\"created_at\":\"2026-11-15T06:30:00.000Z\",\"expires_at\":\"2026-11-15T06:35:00.000Z\",\"paid_at\":\"2026-11-15T06:30:00.000Z\",\"payment_url\":\"https://pay.example.in/pay/qCHwdvjhj4Ji_o5_3pH3vaG7SMqivw\",\"upi_uri\":\"upi://pay?pa=kettle.leaf@sandbox&pn=Kettle%20%26%20Leaf&mc=5499&tr=ML9112653992&am=499.43&cu=INR&tn=ML-9112653992\",\"payment_account_id\":\"acc_U4IdAcA5blDfVopw\",\"success_url\":\"https://shop.example.com/thanks\",\"failure_url\":\"https://shop.example.com/sorry\",\"customer\":null,\"bank_reference\":\"129202864558\"}}","state":"delivered","created_at":"2026-11-15T06:30:00+00:00"},
{"merchant_id":184863721715937,"event_id":"evt_199faccca8cee098a5638d6ade755b38","type":"payment.paid","order_id":"ML-0155840817","webhook_url":"https://shop.example.com/hooks/upi","body":"{\"type\":\"payment.paid\",\"timestamp\":\"2026-12-01T06:42:00.000Z\",\"data\":{\"order_id\":\"ML-0155840817\",\"merchant_order_id\":\"way-late\",\"amount\":499,\"payable_amount\":499.35,\"status\":\"paid\",\"created_at\":\"2026-12-01T06:30:00.000Z\",\"expires_at\":\"2026-12-01T06:35:00.000Z\",\"paid_at\":\"2026-12-01T06:42:00.000Z\",\"payment_url\":\"https://pay.example.in/pay/qCHwdvjhX4PmR0Ddv6Y0GMJRLS4cIQ\",\"upi_uri\":\"upi://pay?pa=kettle.leaf@sandbox&pn=Kettle%20%26%20Leaf&mc=5499&tr=ML0155840817&am=499.35&cu=INR&tn=ML-0155840817\",\"payment_account_id\":\"acc_U4IdAcA5blDfVopw\",\"success_url\":\"https://shop.example.com/thanks\",\"failure_url\":\"https://shop.example.com/sorry\",\"customer\":{\"name\":\"Asha Rao\",\"email\":\"asha@example.com\"},\"bank_reference\":\"620671821745\"}}","state":"open","created_at":"2026-12-01T06:42:00+00:00"},
{"merchant_id":184863721715937,"event_id":"evt_eb73aeef28e7d30b2139349541b98e2d","type":"payment.paid","order_id":"ML-0716666577","webhook_url":"https://shop.example.com/hooks/upi","body":"{\"type\":\"payment.paid\",\"timestamp\":\"2026-12-01T06:30:00.000Z\",\"data\":{\"order_id\":\"ML-0716666577\",\"merchant_order_id\":\"way-exact\",\"amount\":499,\"payable_amount\":499.44,\"status\":\"paid\",\"created_at\":\"2026-12-01T06:30:00.000Z\",\"expires_at\":\"2026-12-01T06:35:00.000Z\",\"paid_at\":\"2026-12-01T06:30:00.000Z\",\"payment_url\":\"https://pay.example.in/pay/qCHwdvjhPueLV_0xK2ZpfjXrESmizQ\",\"upi_uri\":\"upi://pay?pa=kettle.leaf@sandbox&pn=Kettle%20%26%20Leaf&mc=5499&tr=ML0716666577&am=499.44&cu=INR&tn=ML-0716666577\",\"payment_account_id\":\"acc_U4IdAcA5blDfVopw\",\"success_url\":\"https://shop.example.com/thanks\",\"failure_url\":\"https://shop.example.com/sorry\",\"customer\":{\"name\":\"Asha Rao\",\"email\":\"asha@example.com\"},\"bank_reference\":\"507910332003\"}}","state":"delivered","created_at":"2026-12-01T06:30:00+00:00"},
{"merchant_id":184863721715937,"event_id":"evt_9927d2feee312b2a233c446637dc73ef","type":"payment.paid","order_id":"ML-0553307790","webhook_url":"https://shop.example.com/hooks/upi","body":"{\"type\":\"payment.paid\",\"timestamp\":\"2026-12-01T06:42:00.000Z\",\"data\":{\"order_id\":\"ML-0553307790\",\"merchant_order_id\":\"way-twice\",\"amount\":499,\"payable_amount\":499.18,\"status\":\"paid\",\"created_at\":\"2026-12-01T06:42:00.000Z\",\"expires_at\":\"2026-12-01T06:47:00.000Z\",\"paid_at\":\"2026-12-01T06:42:00.000Z\",\"payment_url\":\"https://pay.example.in/pay/qCHwdvjhwn_3uNm7GYcaWGelwtFwyw\",\"upi_uri\":\"upi://pay?pa=kettle.leaf@sandbox&pn=Kettle%20%26%20Leaf&mc=5499&tr=ML0553307790&am=499.18&cu=INR&tn=ML-0553307790\",\"payment_account_id\":\"acc_U4IdAcA5blDfVopw\",\"success_url\":\"https://shop.example.com/thanks\",\"failure_url\":\"https://shop.example.com/sorry\",\"customer\":{\"name\":\"Asha Rao\",\"email\":\"asha@example.com\"},\"bank_reference\":\"413847399950\"}}","state":"failed","created_at":"2026-12-01T06:42:00+00:00"},
{"merchant_id":184863721715937,"event_id":"evt_XVkPHd1vRgmEl9O8AtSYefVJ6IDQtNZm","type":"webhook.test","order_id":null,"webhook_url":"https://shop.example.com/hook","body":"{\"type\":\"webhook.test\",\"timestamp\":\"2026-12-01T06:42:00.000Z\",\"data\":{\"message\":\"This is a test. No payment was made.\"}}","state":"open","created_at":"2026-12-01T06:42:00+00:00"},
{"merchant_id":269003061328475,"event_id":"evt_tx2z7k0pnh","type":"webhook.test","order_id":null,"webhook_url":"https://shop.example/hook","body":"{}","state":"failed","created_at":"2026-12-01T06:42:00+00:00"}
]$json$);
insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at, code_hash, code_expires_at, wrong_codes, codes_sent, first_code_at) overriding system value select merchant_id, address, added_at, confirmed_at, code_hash, code_expires_at, wrong_codes, codes_sent, first_code_at from json_populate_recordset(null::extra_alert_addresses, $json$[
{"merchant_id":269003061328475,"address":"alerts-tx2z7k0pnh@mail.example","added_at":"2026-12-01T06:42:00+00:00","confirmed_at":null,"code_hash":null,"code_expires_at":null,"wrong_codes":0,"codes_sent":0,"first_code_at":null}
]$json$);
insert into failing_destinations (merchant_id, destination, failing_since, failures, last_failure, told_at) overriding system value select merchant_id, destination, failing_since, failures, last_failure, told_at from json_populate_recordset(null::failing_destinations, $json$[
{"merchant_id":184863721715937,"destination":"shop.example.com","failing_since":"2026-12-01T06:42:00+00:00","failures":2,"last_failure":{"code": "answered", "facts": {"status": 410}},"told_at":null},
{"merchant_id":269003061328475,"destination":"shop.example","failing_since":"2026-12-01T06:42:00+00:00","failures":1,"last_failure":{"code": "answered", "facts": {"status": 500}},"told_at":null}
]$json$);
insert into found_mails (merchant_id, folder, uidvalidity, uid, email_id, found_at) overriding system value select merchant_id, folder, uidvalidity, uid, email_id, found_at from json_populate_recordset(null::found_mails, $json$[
{"merchant_id":269003061328475,"folder":"INBOX","uidvalidity":1,"uid":1,"email_id":null,"found_at":"2026-12-01T06:42:00+00:00"}
]$json$);
insert into guesses (subject, failures, window_ends) overriding system value select subject, failures, window_ends from json_populate_recordset(null::guesses, $json$[
{"subject":"\\x01","failures":1,"window_ends":"2026-11-15T19:46:45.44+00:00"}
]$json$);
insert into held_lines (line_id, bank, line, surroundings, first_seen, settled_at, mailed_at) overriding system value select line_id, bank, line, surroundings, first_seen, settled_at, mailed_at from json_populate_recordset(null::held_lines, $json$[
{"line_id":1,"bank":"hdfc","line":"A new line","surroundings":"above","first_seen":"2026-11-15T19:46:45.443+00:00","settled_at":null,"mailed_at":null}
]$json$);
insert into mail_processes (process_id, alive_until) overriding system value select process_id, alive_until from json_populate_recordset(null::mail_processes, $json$[
{"process_id":"one","alive_until":"2026-11-15T19:46:45.441+00:00"}
]$json$);
insert into mailbox_leases (merchant_id, process_id, fence, leased_until) overriding system value select merchant_id, process_id, fence, leased_until from json_populate_recordset(null::mailbox_leases, $json$[
{"merchant_id":269003061328475,"process_id":null,"fence":0,"leased_until":"-infinity"}
]$json$);
insert into mailbox_positions (merchant_id, folder, uidvalidity, next_uid, scan_from, last_mails) overriding system value select merchant_id, folder, uidvalidity, next_uid, scan_from, last_mails from json_populate_recordset(null::mailbox_positions, $json$[
{"merchant_id":269003061328475,"folder":"INBOX","uidvalidity":1,"next_uid":2,"scan_from":"2026-12-01T06:42:00+00:00","last_mails":[]}
]$json$);
insert into mailbox_states (merchant_id, connected_since, last_good_poll, last_alert_at, lag_ms, last_error, last_error_at, needs_login, login_failures, login_failed_at, blind_told_at) overriding system value select merchant_id, connected_since, last_good_poll, last_alert_at, lag_ms, last_error, last_error_at, needs_login, login_failures, login_failed_at, blind_told_at from json_populate_recordset(null::mailbox_states, $json$[
{"merchant_id":184863721715937,"connected_since":"2026-11-15T06:30:00+00:00","last_good_poll":"2026-12-01T06:42:00+00:00","last_alert_at":null,"lag_ms":null,"last_error":null,"last_error_at":null,"needs_login":false,"login_failures":0,"login_failed_at":null,"blind_told_at":null},
{"merchant_id":269003061328475,"connected_since":null,"last_good_poll":null,"last_alert_at":null,"lag_ms":null,"last_error":null,"last_error_at":null,"needs_login":false,"login_failures":0,"login_failed_at":null,"blind_told_at":null}
]$json$);
insert into mailboxes (merchant_id, provider, address, username, host, port, credential, extra_folders, revision, connected_at, read_until) overriding system value select merchant_id, provider, address, username, host, port, credential, extra_folders, revision, connected_at, read_until from json_populate_recordset(null::mailboxes, $json$[
{"merchant_id":184863721715937,"provider":"other","address":"alerts@kettle-and-leaf.example","username":"alerts@kettle-and-leaf.example","host":"imap.kettle-and-leaf.example","port":993,"credential":"2a50d81f.zFeT9tuwEuK5I7FUrzucR/Y4XMPDec0bdckQAMD9Nvwb5Q2xU1eP6BsXu9rqMbuMwQhW6BwuVbSmPtcPUg==","extra_folders":[],"revision":1,"connected_at":"2026-11-15T06:30:00+00:00","read_until":null},
{"merchant_id":269003061328475,"provider":"other","address":"tx2z7k0pnh@mail.example","username":"tx2z7k0pnh","host":"imap.mail.example","port":993,"credential":"sealed","extra_folders":[],"revision":1,"connected_at":"2026-12-01T06:42:00+00:00","read_until":null}
]$json$);
insert into mails (merchant_id, mail_id, recipient, subject, sealed_text, created_at, next_try_at, tries, sent_at, notice_id, useful_until, leased_until, failure) overriding system value select merchant_id, mail_id, recipient, subject, sealed_text, created_at, next_try_at, tries, sent_at, notice_id, useful_until, leased_until, failure from json_populate_recordset(null::mails, $json$[
{"merchant_id":184863721715937,"mail_id":1,"recipient":null,"subject":null,"sealed_text":null,"created_at":"2026-12-01T06:42:00+00:00","next_try_at":"2026-12-01T06:42:00+00:00","tries":0,"sent_at":null,"notice_id":1,"useful_until":"2026-12-04T06:42:00+00:00","leased_until":null,"failure":null},
{"merchant_id":269003061328475,"mail_id":2,"recipient":"a@b.example","subject":"Hello","sealed_text":null,"created_at":"2026-12-01T06:42:00+00:00","next_try_at":null,"tries":0,"sent_at":null,"notice_id":null,"useful_until":"2026-12-01T06:42:00+00:00","leased_until":null,"failure":null}
]$json$);
insert into merchants (merchant_id, name, plan, created_at, disabled_at, deletion_requested_at, webhook_secret, old_webhook_secret, secret_rotated_at) overriding system value select merchant_id, name, plan, created_at, disabled_at, deletion_requested_at, webhook_secret, old_webhook_secret, secret_rotated_at from json_populate_recordset(null::merchants, $json$[
{"merchant_id":184863721715937,"name":"Kettle & Leaf","plan":"week","created_at":"2026-11-15T06:30:00+00:00","disabled_at":null,"deletion_requested_at":null,"webhook_secret":"2a50d81f.oKT57c4OokkCShvcNS7NQQnV+CMzmSnogvFtLVHjPVptCWcjIQebDxUBbRzo1YEpd5Ea7Fa8h5xEzuUtKu8iogvi","old_webhook_secret":null,"secret_rotated_at":null},
{"merchant_id":269003061328475,"name":"Shop tx2z7k0pnh","plan":"standard","created_at":"2026-12-01T06:42:00+00:00","disabled_at":null,"deletion_requested_at":null,"webhook_secret":"2a50d81f.TZOW8UhaLvd2IbfVJ69LxaaoFm7TFo10WOWrFApDgI0va1bimI2wQneruhxi4mbn1z+Q6RsM446bovKwevrKR2f0","old_webhook_secret":null,"secret_rotated_at":null}
]$json$);
insert into migrations (name, applied_at) overriding system value select name, applied_at from json_populate_recordset(null::migrations, $json$[
{"name":"0001_merchants.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0002_orders.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0003_alerts.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0004_webhooks.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0005_notices.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0006_mailboxes.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0008_accounts.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0009_screens.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0010_own_bank.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0012_doubted_keys.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0013_mail_and_time.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0014_create_order.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0016_bank_life.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0020_reasons.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0021_one_outbox.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"},
{"name":"0022_addresses_at_arrival.sql","applied_at":"2026-11-15T19:46:43.904705+00:00"}
]$json$);
insert into notices (merchant_id, notice_id, kind, dedupe_key, created_at, seen_at, facts) overriding system value select merchant_id, notice_id, kind, dedupe_key, created_at, seen_at, facts from json_populate_recordset(null::notices, $json$[
{"merchant_id":184863721715937,"notice_id":1,"kind":"webhook_given_up","dedupe_key":"webhook_given_up:shop.example.com:2026-12-01","created_at":"2026-12-01T06:42:00+00:00","seen_at":null,"facts":{"type": "payment.paid", "cause": {"code": "answered", "facts": {"status": 410}}, "order": "ML-0553307790", "destination": "shop.example.com"}},
{"merchant_id":269003061328475,"notice_id":2,"kind":"mailbox_seeing","dedupe_key":"tx2z7k0pnh","created_at":"2026-12-01T06:42:00+00:00","seen_at":null,"facts":{"address": "tx2z7k0pnh@mail.example"}}
]$json$);
insert into order_archives (merchant_id, month, part, orders, csv_gzip, created_at) overriding system value select merchant_id, month, part, orders, csv_gzip, created_at from json_populate_recordset(null::order_archives, $json$[
{"merchant_id":184863721715937,"month":"2026-11-01","part":1,"orders":2,"csv_gzip":"\\x1f8b08000000000000039d8f414fc3300c85ef48fc137772d2a434bb4de23269dc800397c84d3cada249aa3415ecdfa396812604174ecfcf96fd3da7ec39dbde43e0ec4e148b4d5f1d0a698e05463a5337b0bdd8a95099277099a9b0b75480dfc73ef3b49423f5fe53cf8163b1e4dcb2b45ceb28bedacc47ce1c1d839ba79202671b295c390ed40fb7370f87aa6d745dab3b6d14a4c1570294311bc455a4ba403d48944d254425f42336db1ab7881b447cf939d0df0320e7ec93dafb9ddbe96eb83f3ea7f10d0056aa114236ba3646ae54794d55f5fadf3f907f6efc1a45482351b68dd2ba5d627d00c87cc23fa3010000","created_at":"2026-12-01T06:30:00+00:00"},
{"merchant_id":269003061328475,"month":"2026-05-01","part":1,"orders":1,"csv_gzip":"\\x1f8b080000000000000303000000000000000000","created_at":"2026-12-01T06:42:00+00:00"}
]$json$);
insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at, expires_at, paid_at, pay_token, account_id, success_url, failure_url, webhook_url, customer, alert_id, bank_reference, archived_at, id_released) overriding system value select merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at, expires_at, paid_at, pay_token, account_id, success_url, failure_url, webhook_url, customer, alert_id, bank_reference, archived_at, id_released from json_populate_recordset(null::orders, $json$[
{"merchant_id":184863721715937,"order_id":"ML-0716666577","merchant_order_id":"way-exact","amount_paise":49900,"payable_paise":49944,"status":"paid","created_at":"2026-12-01T06:30:00+00:00","expires_at":"2026-12-01T06:35:00+00:00","paid_at":"2026-12-01T06:30:00+00:00","pay_token":"qCHwdvjhPueLV_0xK2ZpfjXrESmizQ","account_id":"acc_U4IdAcA5blDfVopw","success_url":"https://shop.example.com/thanks","failure_url":"https://shop.example.com/sorry","webhook_url":"https://shop.example.com/hooks/upi","customer":{"name": "Asha Rao", "email": "asha@example.com"},"alert_id":"al_1681fa112e1513382354ff7946a82c3fc650b337","bank_reference":"507910332003","archived_at":null,"id_released":false},
{"merchant_id":184863721715937,"order_id":"ML-0155840817","merchant_order_id":"way-late","amount_paise":49900,"payable_paise":49935,"status":"paid","created_at":"2026-12-01T06:30:00+00:00","expires_at":"2026-12-01T06:35:00+00:00","paid_at":"2026-12-01T06:42:00+00:00","pay_token":"qCHwdvjhX4PmR0Ddv6Y0GMJRLS4cIQ","account_id":"acc_U4IdAcA5blDfVopw","success_url":"https://shop.example.com/thanks","failure_url":"https://shop.example.com/sorry","webhook_url":"https://shop.example.com/hooks/upi","customer":{"name": "Asha Rao", "email": "asha@example.com"},"alert_id":"al_5035915d10e383d6a5d44b1f41abba2088410812","bank_reference":"620671821745","archived_at":null,"id_released":false},
{"merchant_id":184863721715937,"order_id":"ML-9281523243","merchant_order_id":"way-wrong_paise","amount_paise":49900,"payable_paise":49960,"status":"pending","created_at":"2026-12-01T06:42:00+00:00","expires_at":"2026-12-01T06:47:00+00:00","paid_at":null,"pay_token":"qCHwdvjhnsmkS6e9AByvrkEGE3Uy_Q","account_id":"acc_U4IdAcA5blDfVopw","success_url":"https://shop.example.com/thanks","failure_url":"https://shop.example.com/sorry","webhook_url":"https://shop.example.com/hooks/upi","customer":{"name": "Asha Rao", "email": "asha@example.com"},"alert_id":null,"bank_reference":null,"archived_at":null,"id_released":false},
{"merchant_id":184863721715937,"order_id":"ML-0553307790","merchant_order_id":"way-twice","amount_paise":49900,"payable_paise":49918,"status":"paid","created_at":"2026-12-01T06:42:00+00:00","expires_at":"2026-12-01T06:47:00+00:00","paid_at":"2026-12-01T06:42:00+00:00","pay_token":"qCHwdvjhwn_3uNm7GYcaWGelwtFwyw","account_id":"acc_U4IdAcA5blDfVopw","success_url":"https://shop.example.com/thanks","failure_url":"https://shop.example.com/sorry","webhook_url":"https://shop.example.com/hooks/upi","customer":{"name": "Asha Rao", "email": "asha@example.com"},"alert_id":"al_c30b1635fb4b740faa7d16b1313ed12bd96e4d5f","bank_reference":"413847399950","archived_at":null,"id_released":false},
{"merchant_id":184863721715937,"order_id":"ML-1126616606","merchant_order_id":"way-forged","amount_paise":49900,"payable_paise":49951,"status":"pending","created_at":"2026-12-01T06:42:00+00:00","expires_at":"2026-12-01T06:47:00+00:00","paid_at":null,"pay_token":"qCHwdvjhCs_9gAlf3Q502XTLHpPXgg","account_id":"acc_U4IdAcA5blDfVopw","success_url":"https://shop.example.com/thanks","failure_url":"https://shop.example.com/sorry","webhook_url":"https://shop.example.com/hooks/upi","customer":{"name": "Asha Rao", "email": "asha@example.com"},"alert_id":null,"bank_reference":null,"archived_at":null,"id_released":false},
{"merchant_id":184863721715937,"order_id":"ML-0789209082","merchant_order_id":"way-wrong_recipient","amount_paise":49900,"payable_paise":49972,"status":"pending","created_at":"2026-12-01T06:42:00+00:00","expires_at":"2026-12-01T06:47:00+00:00","paid_at":null,"pay_token":"qCHwdvjhIOhs2DhCmIU3swfOKO0Y2A","account_id":"acc_U4IdAcA5blDfVopw","success_url":"https://shop.example.com/thanks","failure_url":"https://shop.example.com/sorry","webhook_url":"https://shop.example.com/hooks/upi","customer":{"name": "Asha Rao", "email": "asha@example.com"},"alert_id":null,"bank_reference":null,"archived_at":null,"id_released":false},
{"merchant_id":184863721715937,"order_id":"ML-7025774225","merchant_order_id":"open","amount_paise":49900,"payable_paise":49983,"status":"pending","created_at":"2026-12-01T06:42:00+00:00","expires_at":"2026-12-01T06:47:00+00:00","paid_at":null,"pay_token":"qCHwdvjh_gbQu28Ndt2ynwWBhgCjFA","account_id":"acc_U4IdAcA5blDfVopw","success_url":"https://shop.example.com/thanks","failure_url":"https://shop.example.com/sorry","webhook_url":"https://shop.example.com/hooks/upi","customer":null,"alert_id":null,"bank_reference":null,"archived_at":null,"id_released":false},
{"merchant_id":269003061328475,"order_id":"ML-3519705511","merchant_order_id":"cart tx2z7k0pnh","amount_paise":49900,"payable_paise":49937,"status":"pending","created_at":"2026-12-01T06:42:00+00:00","expires_at":"2026-12-01T06:47:00+00:00","paid_at":null,"pay_token":"9Kgn6fpbWqaCGk_UFX6TJt1wZ9tScg","account_id":"acc_S0k633mYLMVZBub2","success_url":"https://shop.example/done","failure_url":"https://shop.example/sorry","webhook_url":"https://shop.example/hook","customer":null,"alert_id":null,"bank_reference":null,"archived_at":null,"id_released":false}
]$json$);
insert into passkey_challenges (challenge, purpose, merchant_id, user_id, expires_at) overriding system value select challenge, purpose, merchant_id, user_id, expires_at from json_populate_recordset(null::passkey_challenges, $json$[
{"challenge":"tx2z7k0pnh","purpose":"confirm","merchant_id":269003061328475,"user_id":"usr_ownertx2z7k0pnh","expires_at":"2026-12-01T06:42:01+00:00"}
]$json$);
insert into passkeys (merchant_id, user_id, credential_id, name, public_key, counter, transports, created_at, last_used_at) overriding system value select merchant_id, user_id, credential_id, name, public_key, counter, transports, created_at, last_used_at from json_populate_recordset(null::passkeys, $json$[
{"merchant_id":269003061328475,"user_id":"usr_ownertx2z7k0pnh","credential_id":"cred_tx2z7k0pnh","name":"Phone","public_key":"\\x01","counter":0,"transports":[],"created_at":"2026-12-01T06:42:00+00:00","last_used_at":null}
]$json$);
insert into plans (plan, monthly_limit_paise, account_limit, history_days, upgrade_url) overriding system value select plan, monthly_limit_paise, account_limit, history_days, upgrade_url from json_populate_recordset(null::plans, $json$[
{"plan":"standard","monthly_limit_paise":null,"account_limit":null,"history_days":null,"upgrade_url":null},
{"plan":"week","monthly_limit_paise":null,"account_limit":null,"history_days":7,"upgrade_url":null}
]$json$);
insert into recovery_codes (merchant_id, user_id, code_hash, used_at) overriding system value select merchant_id, user_id, code_hash, used_at from json_populate_recordset(null::recovery_codes, $json$[
{"merchant_id":269003061328475,"user_id":"usr_ownertx2z7k0pnh","code_hash":"\\x3520d522c954613762bb3fd903eadb57330836b22ce2b13209e6ed04487be096","used_at":null}
]$json$);
insert into sessions (merchant_id, session_id, user_id, token_hash, stage, created_at, last_seen_at, confirmed_at, address, agent, flash) overriding system value select merchant_id, session_id, user_id, token_hash, stage, created_at, last_seen_at, confirmed_at, address, agent, flash from json_populate_recordset(null::sessions, $json$[
{"merchant_id":269003061328475,"session_id":"ses_tx2z7k0pnh","user_id":"usr_ownertx2z7k0pnh","token_hash":"\\xa2b81d0827ead7d85776c679131243a774abbb32320992f432169086a88575b3","stage":"full","created_at":"2026-12-01T06:42:00+00:00","last_seen_at":"2026-12-01T06:42:00+00:00","confirmed_at":"2026-12-01T06:42:00+00:00","address":"","agent":"","flash":null}
]$json$);
insert into unconfirmable (merchant_id, since, told_at) overriding system value select merchant_id, since, told_at from json_populate_recordset(null::unconfirmable, $json$[
{"merchant_id":269003061328475,"since":"2026-12-01T06:42:00+00:00","told_at":null}
]$json$);
insert into upi_accounts (merchant_id, account_id, vpa, payee_name, kind, merchant_code, account_digits, is_default, created_at, removed_at, bank, bank_named_at) overriding system value select merchant_id, account_id, vpa, payee_name, kind, merchant_code, account_digits, is_default, created_at, removed_at, bank, bank_named_at from json_populate_recordset(null::upi_accounts, $json$[
{"merchant_id":184863721715937,"account_id":"acc_U4IdAcA5blDfVopw","vpa":"kettle.leaf@sandbox","payee_name":"Kettle & Leaf","kind":"merchant","merchant_code":"5499","account_digits":"4321","is_default":true,"created_at":"2026-11-15T06:30:00+00:00","removed_at":null,"bank":"sandbox","bank_named_at":"2026-11-15T06:30:00+00:00"},
{"merchant_id":184863721715937,"account_id":"acc_xXA6zhj0atgqaVdo","vpa":"meera.rao@sandbox","payee_name":"MEERA RAO","kind":"personal","merchant_code":null,"account_digits":"4321","is_default":false,"created_at":"2026-11-15T06:30:00+00:00","removed_at":null,"bank":"sandbox","bank_named_at":"2026-11-15T06:30:00+00:00"},
{"merchant_id":269003061328475,"account_id":"acc_S0k633mYLMVZBub2","vpa":"chai@okaxis","payee_name":"Shop tx2z7k0pnh","kind":"personal","merchant_code":null,"account_digits":"4321","is_default":true,"created_at":"2026-12-01T06:42:00+00:00","removed_at":null,"bank":"hdfc","bank_named_at":"2026-12-01T06:42:00+00:00"}
]$json$);
insert into users (merchant_id, user_id, email, role, password_hash, created_at, language, totp_secret, totp_pending, totp_last_step) overriding system value select merchant_id, user_id, email, role, password_hash, created_at, language, totp_secret, totp_pending, totp_last_step from json_populate_recordset(null::users, $json$[
{"merchant_id":184863721715937,"user_id":"usr_tyqwqYdjYI4eLi7h","email":"demo@milaan.example","role":"owner","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$OR4RUfVWprY9C/zzBSQeMw$1C1wTscmE6rThv9Yc0KAmRqON4ymY1uqT1PEOD0mTR8","created_at":"2026-11-15T06:30:00+00:00","language":null,"totp_secret":null,"totp_pending":null,"totp_last_step":0},
{"merchant_id":269003061328475,"user_id":"usr_ownertx2z7k0pnh","email":"owner-tx2z7k0pnh@shop.example","role":"owner","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$xCoPAQjc5pyvsezOPk27qw$Lt6FlX3Jb0c4Hjk5jnDX6FVv+Nh6g0t5KyvGu4hkQBc","created_at":"2026-12-01T06:42:00+00:00","language":null,"totp_secret":null,"totp_pending":null,"totp_last_step":0},
{"merchant_id":269003061328475,"user_id":"usr_managertx2z7k0pnh","email":"manager-tx2z7k0pnh@shop.example","role":"manager","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$xCoPAQjc5pyvsezOPk27qw$Lt6FlX3Jb0c4Hjk5jnDX6FVv+Nh6g0t5KyvGu4hkQBc","created_at":"2026-12-01T06:42:00+00:00","language":null,"totp_secret":null,"totp_pending":null,"totp_last_step":0},
{"merchant_id":269003061328475,"user_id":"usr_supporttx2z7k0pnh","email":"support-tx2z7k0pnh@shop.example","role":"support","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$xCoPAQjc5pyvsezOPk27qw$Lt6FlX3Jb0c4Hjk5jnDX6FVv+Nh6g0t5KyvGu4hkQBc","created_at":"2026-12-01T06:42:00+00:00","language":null,"totp_secret":null,"totp_pending":null,"totp_last_step":0},
{"merchant_id":269003061328475,"user_id":"usr_developertx2z7k0pnh","email":"developer-tx2z7k0pnh@shop.example","role":"developer","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$xCoPAQjc5pyvsezOPk27qw$Lt6FlX3Jb0c4Hjk5jnDX6FVv+Nh6g0t5KyvGu4hkQBc","created_at":"2026-12-01T06:42:00+00:00","language":null,"totp_secret":null,"totp_pending":null,"totp_last_step":0},
{"merchant_id":269003061328475,"user_id":"usr_auditortx2z7k0pnh","email":"auditor-tx2z7k0pnh@shop.example","role":"auditor","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$xCoPAQjc5pyvsezOPk27qw$Lt6FlX3Jb0c4Hjk5jnDX6FVv+Nh6g0t5KyvGu4hkQBc","created_at":"2026-12-01T06:42:00+00:00","language":null,"totp_secret":null,"totp_pending":null,"totp_last_step":0},
{"merchant_id":0,"user_id":"usr_operatortx2z7k0pnh","email":"operator-tx2z7k0pnh@shop.example","role":"operator","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$xCoPAQjc5pyvsezOPk27qw$Lt6FlX3Jb0c4Hjk5jnDX6FVv+Nh6g0t5KyvGu4hkQBc","created_at":"2026-12-01T06:42:00+00:00","language":null,"totp_secret":null,"totp_pending":null,"totp_last_step":0}
]$json$);
select setval('deliveries_delivery_id_seq', 7);
select setval('notices_notice_id_seq', 2);
select setval('mailbox_revisions', 1);
select setval('mails_mail_id_seq', 2);
select setval('bank_entries_entry_id_seq', 1);
select setval('held_lines_line_id_seq', 1);
reset session_replication_role;

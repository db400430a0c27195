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

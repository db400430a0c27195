-- Alerts by forwarding: addresses of our own that alerts are sent on to, what providers ask there, and the probes that tell of silence.
-- The release before may run beside it.

create table forward_addresses (
  merchant_id   bigint not null references merchants,
  address       text not null check (address = lower(address)),
  opened_at     timestamptz(3) not null,
  -- Something came through that only we or a bank can have written. Before that nobody is asked to rely on it.
  works_since   timestamptz(3),
  -- Replaced or given up: it takes mail until then, for the orders that were open.
  ends_at       timestamptz(3),
  last_alert_at timestamptz(3),
  -- Set while the owner knows that nothing comes through.
  silence_told_at timestamptz(3),
  -- When the owner was told that this way changes mails; null while it does not.
  changed_told_at timestamptz(3),
  primary key (merchant_id, address)
);
create unique index forward_addresses_address on forward_addresses (address);
create unique index forward_addresses_open on forward_addresses (merchant_id) where ends_at is null;
create index forward_addresses_ending on forward_addresses (ends_at) where ends_at is not null;
create index forward_addresses_new on forward_addresses (last_alert_at) where works_since is null and last_alert_at is not null;
create index forward_addresses_told on forward_addresses (merchant_id) where silence_told_at is not null;

-- What a mail provider wants to know from whoever reads a forwarding address. It proves nothing to us.
create table forward_requests (
  merchant_id bigint not null references merchants,
  -- Who asked the provider to send mail on, as the provider says.
  asked_by    text not null,
  provider    text not null,
  code        text,
  link        text,
  arrived_at  timestamptz(3) not null,
  primary key (merchant_id, asked_by)
);

-- A probe is mailed to the address and has to come back through the forwarding. Due: null where none is sent.
alter table extra_alert_addresses
  add column probe_due_at        timestamptz(3),
  add column probe_sent_at       timestamptz(3),
  -- When the first probe left that is still awaited.
  add column probe_waiting_since timestamptz(3),
  -- When the newest probe that came back had left, when it came, and how long it took.
  add column probe_answer_sent_at timestamptz(3),
  add column probe_answered_at   timestamptz(3),
  add column probe_failure       text,
  -- What the last probe had become when it came back: a reason; null when it came as it left.
  add column probe_change        jsonb,
  -- Of whoever mails the probe.
  add column claim               text,
  add column leased_until        timestamptz(3);
create index extra_alert_addresses_probes on extra_alert_addresses (probe_due_at) where probe_due_at is not null;
create index extra_alert_addresses_silent on extra_alert_addresses (probe_waiting_since) where probe_waiting_since is not null;

-- create_order notes businesses without a mailbox; one whose forwarding works can be paid all the same.
create function forwarding_confirms() returns trigger language plpgsql as $$
begin
  if exists (select from forward_addresses f
    where f.merchant_id = new.merchant_id and f.works_since is not null and f.ends_at is null) then
    return null;
  end if;
  return new;
end $$;
create trigger unconfirmable_without_forwarding before insert on unconfirmable
  for each row execute function forwarding_confirms();

-- One design of leases: who works on a row, and until when, stands beside the moment at which it is due, in every queue alike.

alter table mails add column claim text;
alter table pushes
  add column claim text,
  add column leased_until timestamptz(3);
-- Of whoever mails the probe.
alter table extra_alert_addresses
  add column claim text,
  add column leased_until timestamptz(3);

-- Both kinds of work that one process does at a time name whoever does it alike.
alter table mailbox_leases rename column process_id to holder;

-- A probe is the mail that tests a forwarding. What /readyz writes is another thing.
alter table probes rename to write_trials;
alter table write_trials rename column probe to trial;

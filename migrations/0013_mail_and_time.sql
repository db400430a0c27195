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

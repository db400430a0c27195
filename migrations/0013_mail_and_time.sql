-- Mail servers that were restored from a backup, mailboxes that are read to the end, and orders that nobody can confirm.

-- The last mails read, each as uid/receipt/size/hash: a server that was restored gives their numbers to other mails.
alter table mailbox_positions add column last_mails text[] not null default '{}';

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

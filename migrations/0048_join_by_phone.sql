-- A cashier joins by phone and needs no mail address: the name that the team sees, and the only role of such a person.
-- The release before may run beside it.

alter table users add column name text;
-- The name of somebody whom the link lets in without a mail address; null: the link is for `email`.
alter table account_links add column person text;
-- `.invalid` never exists, so no mail can warn such a person, or bring back a password.
alter table users add constraint users_without_mail check (role = 'cashier' or email not like '%@phone.invalid');

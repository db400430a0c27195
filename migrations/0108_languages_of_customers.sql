-- A shop switches on languages that its customers may read beside English and Hindi.
-- The release before may run beside it.

-- Tags, such as ta. One that a release does not know is passed over by it.
alter table merchants add column languages text[] not null default '{}';

-- An owner may keep what is added to the orders of their links and counter below a rupee.
-- The release before may run beside it.
alter table merchants add column cap_added boolean not null default false;

-- An alert is judged by the addresses of its arrival too, and its lease has the name that every lease has.

-- A mail may wait a day for a key, and its mailbox be let go of meanwhile: the bank wrote to the right address all the same.
alter table alerts add column addresses text[] not null default '{}';
alter table alerts rename column claimed_until to leased_until;

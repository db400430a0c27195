-- A mail of proven origin whose reading alone is in doubt can be read by an owner; who did is kept with it.
-- The release before may run beside it.

alter table alerts add column read_by text;

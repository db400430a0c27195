-- The minute that a bank prints: where it prints no reference, only it tells one payment told twice from two payments.
-- The release before may run beside it.

alter table alerts add column printed_at text;

-- The database says which came first, an order or an alert (R14): two processes' clocks may be seconds apart.
-- The release before may run beside it.

-- Orders and alerts draw from this when they are inserted. Nobody keeps numbers in stock (cache 1), so a number that is
-- drawn later is greater, whichever process draws it.
create sequence arrivals cache 1;

-- Raised by whatever brings in rows that were numbered elsewhere, before the business gets its first new row.
alter table merchants add column arrival_epoch int not null default 0;

-- Rows of before have no number. The default is set apart: so no row is written anew, and processes of the release
-- before, whose inserts do not name these columns, draw a number all the same.
alter table orders add column arrival_epoch int not null default 0, add column arrival_number bigint;
alter table orders alter column arrival_number set default nextval('arrivals');
alter table alerts add column arrival_epoch int not null default 0, add column arrival_number bigint;
alter table alerts alter column arrival_number set default nextval('arrivals');

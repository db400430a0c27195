-- The counter: a wrong amount is accepted with one tap, and payments by the wall's QR code are asked about once.
-- The release before may run beside it.

-- A person at the counter accepts a difference below three rupees with one tap, for orders below this sum. Null: never.
alter table merchants add column one_tap_below_paise bigint default 200000 check (one_tap_below_paise > 0);

-- Somebody answered whether payments without an order are announced, or chose it before. Then nobody is asked again.
alter table upi_accounts add column takings_asked boolean not null default false;
update upi_accounts set takings_asked = true where counts_takings;

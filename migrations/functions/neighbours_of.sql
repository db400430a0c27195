-- All places that share the tens or the units of this one (R15).
-- The paise of a rupee are a board of 10 × 10, tens by units. The result has four boards in a row, one bit per paisa.
create or replace function neighbours_of(place int) returns bit language sql immutable as $$
  select (b'1111111111'::bit(400) >> place / 10 * 10)
    | (repeat('1000000000', 10)::bit(400) >> place / 100 * 100 + place % 10)
$$;

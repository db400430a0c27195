-- Whether two references are equal or differ in one digit.
-- Two institutions may report one credit like that.
create or replace function one_digit_apart(one text, other text) returns boolean language sql immutable as $$
  select length(a) = length(b)
    and (select count(*) from generate_series(1, length(a)) n where substr(a, n, 1) <> substr(b, n, 1)) <= 1
  from (select counted_reference(one) as a, counted_reference(other) as b) as counted
$$;

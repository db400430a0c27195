-- Whether digits agree as far as both are known, as an alert's must agree with an account's (R13).
create or replace function same_account(one text, other text) returns boolean language sql immutable as $$
  select coalesce(right(one, length(other)) = right(other, length(one)), true)
$$;

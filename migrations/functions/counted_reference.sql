-- A bank's reference in the form in which it counts once.
-- That is without leading zeros, which one mail prints and another does not, and as long as most references are.
create or replace function counted_reference(reference text) returns text language sql immutable as $$
  select lpad(regexp_replace(reference, '^0+(?=[0-9])', ''),
    greatest(length(regexp_replace(reference, '^0+(?=[0-9])', '')), 12), '0')
$$;

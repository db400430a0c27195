-- A bank's reference in the form in which it counts once.
-- Leading zeros are removed, because only some mails print them. Short references are padded to the usual length.
create or replace function counted_reference(reference text) returns text language sql immutable as $$
  select lpad(regexp_replace(reference, '^0+(?=[0-9])', ''),
    greatest(length(regexp_replace(reference, '^0+(?=[0-9])', '')), 12), '0')
$$;

-- Locks a reference in this business until the transaction ends; it is the first lock of all.
create or replace function lock_reference(business bigint, reference text) returns void language plpgsql as $$
declare
  locked text;
begin
  locked := pg_advisory_xact_lock(hashtextextended(business::text || ' ' || counted_reference(reference), 0));
end $$;

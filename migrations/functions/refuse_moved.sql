-- Refuses to store a mail, to pay or to decide about money while the business is being moved.
-- The move waits for the end of every transaction that may have read this before.
create or replace function refuse_moved(business bigint) returns int language plpgsql stable as $$
begin
  if exists (select from merchants m where m.merchant_id = business and m.moved_at is not null) then
    raise sqlstate 'ML503' using message = 'this business is being moved';
  end if;
  return null;
end $$;

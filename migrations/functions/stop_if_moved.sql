-- Like `refuse_moved`, for a query that reads the business anyway.
create or replace function stop_if_moved(moved timestamptz) returns int language plpgsql as $$
begin
  if moved is not null then raise sqlstate 'ML503' using message = 'this business is being moved'; end if;
  return null;
end $$;

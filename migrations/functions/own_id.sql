-- The id of a business that was inserted here, or the state ML503 if another cell has that id's range.
-- The ranges of all cells are in each cell's `placed`. Giving one away locks `merchants` against inserts.
create or replace function own_id(business bigint, here int) returns bigint language plpgsql as $$
begin
  if exists (select from placed p where p.last_id is not null and business between p.merchant_id and p.last_id and p.cell <> here) then
    raise sqlstate 'ML503' using message = 'ids of this range belong to another database of this installation';
  end if;
  return business;
end $$;

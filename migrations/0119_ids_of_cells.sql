-- Where an installation has several databases, nobody makes a business in one whose id is of another.
-- The release before may run beside it.

-- The id of a business that was inserted here, or the state ML503: nobody would look for it in this cell. The ranges that
-- were given away are in `placed` of every cell; whoever gives one away locks `merchants` against inserts meanwhile.
create function own_id(business bigint, here int) returns bigint language plpgsql as $$
begin
  if exists (select from placed p where p.last_id is not null and business between p.merchant_id and p.last_id and p.cell <> here) then
    raise sqlstate 'ML503' using message = 'ids of this range belong to another database of this installation';
  end if;
  return business;
end $$;

-- Where an installation has several databases, each knows which ids are its own: nobody makes a business in a range of another.
-- The release before may run beside it.

-- Empty: there is one database, and every id is its own. Written by `milaan cells add`; that of cell 0 counts.
create table cell_ranges (
  -- From this id to the next row's.
  from_id bigint primary key,
  cell    int not null,
  -- Whether that cell is this database.
  is_here boolean not null
);

-- The id of a new business, or the state ML503: it would be made in a database where nobody looks for it. Whoever gives a
-- range away locks `merchants` against inserts meanwhile.
create function own_id(business bigint) returns bigint language plpgsql as $$
begin
  if (select not r.is_here from cell_ranges r where r.from_id <= business order by r.from_id desc limit 1) then
    raise sqlstate 'ML503' using message = 'ids of this range belong to another database of this installation';
  end if;
  return business;
end $$;

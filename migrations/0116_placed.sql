-- Where there are several databases (CELLS_FILE): which businesses live elsewhere than the file says. Asked of cell 0 alone.
-- The release before may run beside it.

-- Comes before the file's ranges, so a business moves without any file being changed. With `last_id` it is of all ids from
-- `merchant_id` up to that one: a process whose file is older than a range learns here that the range is another cell's.
create table placed (
  merchant_id bigint primary key,
  last_id bigint check (last_id >= merchant_id),
  cell int not null check (cell >= 0),
  since timestamptz(3) not null
);

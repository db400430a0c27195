-- The places between first and last that have the fewest of the others as neighbours.
create or replace function fewest_neighbours(places bit, first int, last int, others bit) returns bit
language plpgsql immutable as $$
declare
  no_place constant bit(400) := b'0'::bit(400);
  neighbours int;
  fewest int := 400;
  chosen bit(400);
begin
  for place in first .. last loop
    continue when get_bit(places, place) = 0;
    neighbours := bit_count(others & neighbours_of(place));
    continue when neighbours > fewest;
    if neighbours < fewest then
      fewest := neighbours;
      chosen := no_place;
    end if;
    chosen := set_bit(chosen, place, 1);
  end loop;
  return chosen;
end $$;

-- Whether a reference names one of the three days before this moment's day, in India.
-- NPCI's references begin with the last digit of the year and the day of the year, some banks' with that day plus 366. Other
-- digits say nothing. On a Citus worker a function cannot find our functions by their bare names, so this one calls none.
create or replace function names_earlier_day(reference text, moment timestamptz) returns boolean language plpgsql stable as $$
declare
  bare constant text := regexp_replace(reference, '^0+(?=[0-9])', '');
  counted constant text := lpad(bare, greatest(length(bare), 12), '0');
  told date := (moment at time zone 'Asia/Kolkata')::date;
begin
  if counted is null or counted !~ '^[0-9]{12}$' then return false; end if;
  for earlier in 1 .. 3 loop
    told := told - 1;
    if left(counted, 4) in (to_char(told, 'Y') || to_char(extract(doy from told)::int, 'FM000'),
      to_char(told, 'Y') || to_char(extract(doy from told)::int + 366, 'FM000')) then return true; end if;
  end loop;
  return false;
end $$;

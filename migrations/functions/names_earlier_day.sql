-- Whether a reference names one of the three days before this moment's day, in India.
-- NPCI's references begin with the year's last digit and the day of the year; some banks add 366 to that day. Other
-- digits say nothing. It calls no function, because a Citus worker does not find ours by their bare names.
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

-- What an operator searched for is a customer's reference or UPI ID: it is in no log, neither from 0.2.0 nor from now on.
-- The release before may run beside it.

delete from audit_notes n using audit_log l
where n.merchant_id = 0 and l.merchant_id = 0 and l.seq = n.seq and l.action = 'operator.find';

-- A process of the previous release still writes them. The entry keeps its hash of the words, as after an erasure.
create function drop_search_words() returns trigger language plpgsql as $$
begin
  if exists (select from audit_log l where l.merchant_id = 0 and l.seq = new.seq and l.action = 'operator.find') then
    return null;
  end if;
  return new;
end $$;
create trigger drop_search_words before insert on audit_notes
  for each row when (new.merchant_id = 0) execute function drop_search_words();

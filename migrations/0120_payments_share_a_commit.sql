-- Payments that come together share a statement and a commit; a webhook that arrived is claimed and recorded by one statement each.
-- The release before may run beside it.

-- Clean payments, each for itself as by `pay_at_once`: one that is not clean, or fails, takes back its own lines and no
-- others. `state` says what became of it: paid, ML001 (not clean: nothing of it is written), or the error, and whoever asks
-- pays that one alone. Businesses come in one order, so that two calls cannot wait for each other; and a call waits for
-- nothing longer than a moment, so that one order in somebody's hands keeps seven others from nothing.
create function pay_several(payments jsonb) returns table (place int, state text)
language plpgsql set lock_timeout = '250ms' as $$
declare
  one record;
begin
  for one in
    select p.* from jsonb_to_recordset(payments) as p (place int, business bigint, alert text, credit jsonb, chosen_order text,
      chosen_version text, moment timestamptz, code text, code_facts jsonb, event text, event_body text, destination text,
      roles text[], told_until timestamptz)
    order by p.business, p.chosen_order collate "C", p.place
  loop
    place := one.place;
    begin
      state := case when pay_at_once(one.business, one.alert, one.credit, one.chosen_order, one.chosen_version, one.moment,
        one.code, one.code_facts, one.event, one.event_body, one.destination, one.roles, one.told_until) then 'paid' else 'ML001' end;
    exception when others then
      state := sqlstate;
    end;
    return next;
  end loop;
end $$;

-- Successes whose destinations nobody was told of: one statement, all or nothing. ML001: the owner of one was told that it
-- fails, and is to be told with it that it works again; nothing is written.
create function finish_quietly(attempts json) returns setof bigint language plpgsql as $$
declare
  finished record;
begin
  for finished in select * from finish_delivered(attempts) loop
    if finished.failing_since is not null then raise sqlstate 'ML001'; end if;
    return next finished.delivery_id;
  end loop;
end $$;

-- Whether something is due that nobody has in hand: asked right after a claim, which passes over whoever has their share.
create function is_delivery_left(due timestamptz) returns boolean language plpgsql as $$
begin
  return exists (select from delivery_queue q where q.due_at <= due and not exists (
    select from deliveries_in_hand h where h.merchant_id = q.merchant_id and h.event_id = q.event_id));
end $$;

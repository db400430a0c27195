-- Reasons are a code with its facts, worded where somebody reads them; sentences that were stored are quoted as they stand.

alter table alerts add column reason_code text;
alter table alerts add column facts jsonb not null default '{}';
update alerts set reason_code = 'quoted', facts = jsonb_build_object('sentence', reason) where reason <> '';
alter table alerts drop column reason;
-- Money by its reason, newest first.
create index alerts_reasons on alerts (merchant_id, reason_code, arrived_at desc, alert_id desc)
  where verdict <> 'paid';

-- Here code and facts stand in one value: nobody looks for them by their code.
alter table mailbox_states alter column last_error type jsonb
  using case when last_error is not null then jsonb_build_object('code', 'quoted', 'facts', jsonb_build_object('sentence', last_error)) end;
alter table deliveries alter column failure type jsonb
  using case when failure is not null then jsonb_build_object('code', 'quoted', 'facts', jsonb_build_object('sentence', failure)) end;
alter table failing_destinations alter column last_failure type jsonb
  using jsonb_build_object('code', 'quoted', 'facts', jsonb_build_object('sentence', last_failure));

-- What was told so far cannot be told in another language.
delete from notices;
alter table notices drop column subject;
alter table notices drop column text;
alter table notices add column facts jsonb not null;

-- Which languages there are, the texts say.
alter table users drop constraint users_language_check;

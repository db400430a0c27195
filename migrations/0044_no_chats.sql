-- Milaan writes no notices into chats any more: owners are notified of it, and the chats are deleted.
-- The release before may run beside it.

-- Chats that were switched off are left out: their owners were notified then. A business that was moved stands still.
insert into notices (merchant_id, kind, facts, dedupe_key, created_at)
  select merchant_id, 'chat_off', jsonb_build_object('place', string_agg(place, ', ' order by created_at, chat_id),
    'cause', jsonb_build_object('code', 'chats_removed', 'facts', '{}'::jsonb)), 'chats removed', now()
  from chats
  where off_reason is null and merchant_id in (select merchant_id from merchants where moved_at is null)
  group by merchant_id
  on conflict do nothing;

-- A process of the previous release would word the mail as its own, so the mail waits until such processes have ended.
insert into mails (merchant_id, notice_id, created_at, next_try_at, useful_until)
  select merchant_id, notice_id, created_at, created_at + interval '1 hour', created_at + interval '3 days'
  from notices where kind = 'chat_off' and dedupe_key = 'chats removed'
  on conflict do nothing;

-- The tables stay for processes of the previous release; the next release drops them.
delete from chat_messages;
delete from chats;

-- What each person wants to be told, and how: by mail, on devices of their own (web push), in a chat, once a day; and what waits.
-- The release before may run beside it.

create table notice_choices (
  merchant_id bigint not null,
  user_id     text not null,
  topic       text not null check (topic in ('payment', 'money', 'mailbox', 'webhooks')),
  by_mail     boolean not null,
  by_push     boolean not null,
  primary key (merchant_id, user_id, topic),
  foreign key (merchant_id, user_id) references users (merchant_id, user_id) on delete cascade
);
-- The menu of every page asks for these.
create index notices_unseen on notices (merchant_id) where seen_at is null;

-- One design of leases: who works on a row (`claim`), and until when, stands beside the moment at which it is due, in
-- every queue alike.
alter table mails add column claim text;

-- A browser that takes notices for a person. The address and the keys are its own; only this installation's key may use them.
create table push_devices (
  merchant_id  bigint not null,
  device_id    text not null,
  user_id      text not null,
  -- The session it was added in: when a person ends that, the device goes too. A session that lapsed leaves it, so no key.
  session_id   text not null,
  endpoint     text not null,
  p256dh       text not null,
  auth         text not null,
  agent        text not null,
  created_at   timestamptz(3) not null,
  last_told_at timestamptz(3),
  primary key (merchant_id, device_id),
  foreign key (merchant_id, user_id) references users (merchant_id, user_id) on delete cascade
);
create index push_devices_user on push_devices (merchant_id, user_id);
create index push_devices_endpoint on push_devices using hash (endpoint);

-- What devices are still to be told: a row goes when it was sent, or is of no use any more.
create table pushes (
  merchant_id  bigint not null,
  push_id      bigint generated always as identity,
  -- No foreign key: a payment must neither wait for the removal of a device nor fail with it.
  device_id    text not null,
  -- Of a notice, of a paid order, or of neither: then it greets a device that was just added.
  topic        text,
  notice_id    bigint,
  order_id     text,
  amount_paise bigint,
  created_at   timestamptz(3) not null,
  next_try_at  timestamptz(3) not null,
  useful_until timestamptz(3) not null,
  tries        int not null default 0,
  claim        text,
  leased_until timestamptz(3),
  primary key (merchant_id, push_id)
);
create index pushes_due on pushes (next_try_at);

-- Places of a business where notices are told: a chat, or an address of its own that they are posted to.
create table chats (
  merchant_id   bigint not null references merchants,
  chat_id       text not null,
  -- What a person may see of it: a chat, or the host that is called. The rest opens a door elsewhere and is sealed.
  place         text not null,
  sealed        text not null,
  topics        text[] not null,
  language      text not null,
  created_at    timestamptz(3) not null,
  last_told_at  timestamptz(3),
  -- A place is told one thing after another: what waits for a pause, or for a server that is away, waits in its order.
  next_try_at   timestamptz(3) not null,
  tries         int not null default 0,
  failing_since timestamptz(3),
  claim         text,
  leased_until  timestamptz(3),
  -- It refused for good, or failed for days: nothing is sent until somebody has tested it.
  off_reason    jsonb,
  primary key (merchant_id, chat_id)
);

-- A row goes when it was sent, or is of no use any more.
create table chat_messages (
  merchant_id  bigint not null,
  message_id   bigint generated always as identity,
  -- No foreign key: a payment must neither wait for the removal of a chat nor fail with it.
  chat_id      text not null,
  -- Null: a message that tests the chat.
  topic        text,
  notice_id    bigint,
  order_id     text,
  amount_paise bigint,
  useful_until timestamptz(3) not null,
  primary key (merchant_id, chat_id, message_id)
);

-- Told of a notice or of a paid order: a row per chat, and per device of those who may see this and want it. Step after
-- step: as one statement it costs a worker of Citus four times as much.
create function queue_pushes(
  business bigint, about text, notice bigint, of_order text, amount bigint, moment timestamptz, until timestamptz, roles text[]
) returns void language plpgsql as $$
declare
  told text;
begin
  for told in select c.chat_id from chats c where c.merchant_id = business and c.off_reason is null and about = any (c.topics)
  loop
    insert into chat_messages (merchant_id, chat_id, topic, notice_id, order_id, amount_paise, useful_until)
    values (business, told, about, notice, of_order, amount, until);
  end loop;
  for told in
    select d.device_id from push_devices d
      join users u on u.merchant_id = d.merchant_id and u.user_id = d.user_id
      left join notice_choices n on n.merchant_id = d.merchant_id and n.user_id = d.user_id and n.topic = about
    where d.merchant_id = business and u.role = any (roles) and coalesce(n.by_push, true)
  loop
    insert into pushes (merchant_id, device_id, topic, notice_id, order_id, amount_paise, created_at, next_try_at, useful_until)
    values (business, told, about, notice, of_order, amount, moment, moment, until);
  end loop;
end $$;

-- Who wants the day by mail, and at which hour of India's clock.
create table daily_summaries (
  merchant_id bigint not null,
  user_id     text not null,
  hour        int not null check (hour between 0 and 23),
  -- Whether a day with nothing to tell is told too.
  even_empty  boolean not null,
  -- Moved on in the transaction that writes the mail: each day is told once, whoever looks.
  next_at     timestamptz(3) not null,
  primary key (merchant_id, user_id),
  foreign key (merchant_id, user_id) references users (merchant_id, user_id) on delete cascade
);
create index daily_summaries_due on daily_summaries (next_at);

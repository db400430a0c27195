-- A business can have notices told in a chat, or posted to an address of its own: the places, and what waits for each.
-- The release before may run beside it.

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

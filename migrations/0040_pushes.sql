-- What each person wants to be told, by mail and on devices of their own (web push), and the queue of what devices are told.

create table notice_choices (
  merchant_id bigint not null,
  user_id     text not null,
  topic       text not null check (topic in ('payment', 'money', 'mailbox', 'webhooks')),
  by_mail     boolean not null,
  by_push     boolean not null,
  primary key (merchant_id, user_id, topic),
  foreign key (merchant_id, user_id) references users (merchant_id, user_id) on delete cascade
);

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
  -- When it is tried next, and while it is being tried the end of that lease.
  next_try_at  timestamptz(3) not null,
  useful_until timestamptz(3) not null,
  tries        int not null default 0,
  primary key (merchant_id, push_id)
);
create index pushes_due on pushes (next_try_at);

-- Money that needs a person: what was received, what became of it, and what customers say they sent.

-- What came in for the order: null until something did, the payable amount in the ordinary case, another sum where a
-- person decides (`manual_review`) or has decided.
alter table orders add column received_paise bigint check (received_paise > 0);
update orders set received_paise = payable_paise where status = 'paid';

alter table merchants
  -- Whether a plain slip moves its order to `manual_review` by itself. Off: the specification leaves that open.
  add column hold_near_misses boolean not null default false,
  -- How a customer reaches the shop, shown wherever a page says "contact the shop".
  add column contact_phone text,
  add column contact_whatsapp text,
  add column contact_email text,
  -- The business's own webhook address, for events that belong to no order.
  add column webhook_url text,
  -- Events beyond `payment.paid` that the business asked for.
  add column wanted_events text[] not null default '{}'
    check (wanted_events <@ array['payment.review', 'payment.unmatched']);

-- What became of a genuine credit that paid no order by itself (R16). No row: nobody has looked at it yet.
create table handled_credits (
  merchant_id bigint not null,
  alert_id    text not null,
  -- attached: its order waits in `manual_review`. accepted: it paid its order. to_give_back: its order was declined.
  -- open: to look at again, after an undo or when its order was paid by an exact payment.
  state       text not null check (state in ('open', 'attached', 'accepted', 'to_give_back', 'given_back', 'kept')),
  order_id    text,
  -- A plain slip, the customer's reference, or a person brought the two together.
  found_by    text check (found_by in ('slip', 'reference', 'person')),
  -- Who did the last step, a mail address or `milaan`, when and why.
  done_by     text not null,
  done_at     timestamptz(3) not null,
  note        text not null default '',
  -- Of the payment that gave it back, as the bank's app shows it.
  return_reference text,
  primary key (merchant_id, alert_id),
  foreign key (merchant_id, alert_id) references alerts on delete cascade,
  check (state not in ('attached', 'accepted', 'to_give_back') or order_id is not null)
);
-- One order waits for at most one credit and is paid by at most one.
create unique index handled_credits_order on handled_credits (merchant_id, order_id) where state in ('attached', 'accepted');
create index handled_credits_done on handled_credits (merchant_id, done_at desc, alert_id desc);

-- References that customers typed on the payment page, in the form in which they count once. They pay nothing.
create table claimed_references (
  merchant_id    bigint not null,
  order_id       text not null,
  bank_reference text not null,
  claimed_at     timestamptz(3) not null,
  primary key (merchant_id, order_id, bank_reference)
);
create index claimed_references_reference on claimed_references (merchant_id, bank_reference);

-- An amount says from when on nobody may still pay it late, an order that its customer meant to pay, an alert its row.
-- The release before may run beside it.

alter table amounts
  -- From this moment on the amount is clear: nobody who held it is likely to pay it any more. Null: it was held last
  -- before this was written down, and is clear once its hold is over.
  add column clear_at timestamptz(3),
  -- What the holders before the present one left of it.
  add column doubted_until timestamptz(3);

alter table orders
  -- When its customer first showed that they mean to pay: a tap on an app, "I have paid", a typed reference.
  add column intent_at timestamptz(3),
  -- When its page or its widget was first open; written only where the owner wants fresh payments alone.
  add column seen_at timestamptz(3);

-- On an amount that is not clear, pay by itself only what the customer has just set about: the owner's choice.
alter table merchants add column fresh_only boolean not null default false;

-- Which row of the table in ARCHITECTURE.md decided about a genuine credit. Null: decided before there was a table.
alter table alerts add column table_row smallint;

-- `exact`: the very sum of the order, which something kept from paying it by itself.
alter table handled_credits drop constraint handled_credits_found_by_check,
  add constraint handled_credits_found_by_check check (found_by in ('slip', 'reference', 'person', 'exact'));

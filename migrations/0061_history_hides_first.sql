-- A plan's window hides orders, and deletes them two weeks later at the earliest: a typo in a plan must lose nothing.
-- The release before may not run beside it.

-- What whoever keeps history has seen of the business's window. `kept_days` is the one by which things are deleted: it
-- grows with the plan at once and shrinks two weeks after it. Null: no end.
alter table history_progress
  add column kept_days int,
  -- The plan's own, when it was last looked at.
  add column window_days int,
  -- Since when the plan's is shorter than kept_days, and has not become shorter still.
  add column shrank_at timestamptz(3);
create index history_progress_shrinking on history_progress (merchant_id) where shrank_at is not null;
insert into history_progress (merchant_id, kept_days, window_days)
  select m.merchant_id, p.history_days, p.history_days from merchants m join plans p on p.plan = m.plan
  on conflict (merchant_id) do update set kept_days = excluded.kept_days, window_days = excluded.window_days;

-- The merchant_order_ids of paid orders that were deleted: for a year nobody is charged under one again.
create table spent_order_ids (
  merchant_id       bigint not null,
  merchant_order_id text not null,
  until             timestamptz(3) not null,
  primary key (merchant_id, merchant_order_id)
);
create index spent_order_ids_until on spent_order_ids (until);

-- Plans are written by `milaan plans apply` and by the first start alone; a business can be made before that.
insert into plans (plan) select 'standard' where not exists (select from plans);

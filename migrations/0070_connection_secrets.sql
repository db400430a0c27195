-- A connected shop has a webhook secret of its own, so that no shop can sign what another one believes.
-- The release before may run beside it.

alter table connections
  -- Sealed, like the business's own. Null: it was connected before there were such, and knows the business's.
  add column webhook_secret text,
  add column old_webhook_secret text,
  add column secret_rotated_at timestamptz(3);

-- Orders of connected shops: each is of the shop whose key made it. Orders of other keys have no row here.
create table connected_orders (
  merchant_id bigint not null,
  order_id    text not null,
  key_id      text not null,
  primary key (merchant_id, order_id),
  foreign key (merchant_id, order_id) references orders on delete cascade
);

-- What was made before is known by its address, as long as something may still be sent about it: a shop that connects
-- again meanwhile verifies it with what it has then. All of these are signed as they were until it does.
insert into connected_orders (merchant_id, order_id, key_id)
select distinct on (o.merchant_id, o.order_id) o.merchant_id, o.order_id, c.key_id
from connections c join orders o on o.merchant_id = c.merchant_id and o.webhook_url = c.webhook_url
where c.key_id is not null and o.created_at > clock_timestamp() - interval '5 days'
order by o.merchant_id, o.order_id, c.agreed_at desc;

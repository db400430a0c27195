import type { Queryable } from '../../../base/database/connect.ts';
import type { World } from '../../../base/world.ts';
import type { Reason } from '../../../texts/verdicts.ts';

export type DeliveryRow = {
  delivery_id: number;
  event_id: string;
  type: string;
  order_id: string | null;
  webhook_url: string;
  /** Null if the order is hidden, or the body was deleted with its week. */
  body: string | null;
  attempt: number;
  state: 'waiting' | 'sending' | 'delivered' | 'failed';
  due_at: Date;
  started_at: Date | null;
  duration_ms: number | null;
  status_code: number | null;
  failure: Reason | null;
  response: string | null;
  request: Record<string, unknown> | null;
  asked_by: 'schedule' | 'merchant';
  event_state: 'open' | 'delivered' | 'failed';
};

export type DeliveryPage = { deliveries: DeliveryRow[]; before: number | null };

type DeliveryFilter = { before?: number | null; eventId?: string; orderId?: string; onlyFailed?: boolean };

const pageSize = 20;

/** Newest first. Pass the previous page's `before` for the next page. */
export async function listDeliveries(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  merchantId: number,
  { before = null, eventId, orderId, onlyFailed = false }: DeliveryFilter = {},
): Promise<DeliveryPage> {
  const rows = await sql<DeliveryRow[]>`
    select d.delivery_id, d.event_id, e.type, e.order_id, e.webhook_url, d.attempt, d.state, d.due_at,
      case when not exists (select from orders o join merchants m on m.merchant_id = o.merchant_id join plans p on p.plan = m.plan
        where o.merchant_id = e.merchant_id and o.order_id = e.order_id
          and o.created_at <= ${clock.now()}::timestamptz - p.history_days * interval '1 day' offset 0) then b.body end as body,
      d.started_at, d.duration_ms, d.status_code, d.failure, d.response, d.request, d.asked_by, ${eventState(sql)} as event_state
    from deliveries d
      -- offset 0 forces a lookup per row. Otherwise the plan may read all events, bodies and orders of the business.
      cross join lateral (select e.* from events e
        where e.merchant_id = d.merchant_id and e.event_id = d.event_id offset 0) e
      left join lateral (select b.body from event_bodies b
        where b.merchant_id = e.merchant_id and b.event_id = e.event_id and b.created_at = e.created_at offset 0) b on true
    where d.merchant_id = ${merchantId}
      ${before === null ? sql`` : sql`and d.delivery_id < ${before}`}
      ${eventId === undefined ? sql`` : sql`and d.event_id = ${eventId}`}
      ${
        orderId === undefined
          ? sql``
          : sql`and d.event_id = any (array(select o.event_id from events o
        where o.merchant_id = ${merchantId} and o.order_id = ${orderId}))`
      }
      ${onlyFailed ? sql`and d.state = 'failed'` : sql``}
    order by d.delivery_id desc limit ${pageSize + 1}`;
  const deliveries = rows.slice(0, pageSize);
  return { deliveries, before: rows.length > pageSize ? (deliveries.at(-1)?.delivery_id ?? null) : null };
}

/** An event stays delivered, even while a resend waits or fails. */
function eventState(sql: Queryable) {
  return sql`case
    when exists (select from delivery_log l
      where l.merchant_id = e.merchant_id and l.event_id = e.event_id and l.state = 'delivered' offset 0) then 'delivered'
    when exists (select from given_up_events g
      where g.merchant_id = e.merchant_id and g.event_id = e.event_id offset 0) then 'failed'
    else 'open' end`;
}

export type FailingDestination = {
  destination: string;
  failing_since: Date;
  failures: number;
  last_failure: Reason;
  told_at: Date | null;
};

export type WebhookHealth = { open: number; failed: number; failing: FailingDestination[] };

export async function webhookHealth({ sql }: Pick<World, 'sql'>, merchantId: number): Promise<WebhookHealth> {
  const [row] = await sql<{ open: number; failed: number }[]>`
    select
      (select count(*) from delivery_queue where merchant_id = ${merchantId}) as open,
      (select count(*) from given_up_events where merchant_id = ${merchantId}) as failed`;
  return { ...row!, failing: await selectFailing(sql, merchantId) };
}

async function selectFailing(sql: Queryable, merchantId: number): Promise<FailingDestination[]> {
  const rows = await sql<FailingDestination[]>`
    select destination, failing_since, failures, last_failure, told_at from failing_destinations
    where merchant_id = ${merchantId} order by failing_since limit 100`;
  return [...rows];
}

export async function selectQueueDepth(sql: Queryable, now: Date) {
  const [row] = await sql<{ oldest: Date | null; sending: number }[]>`
    select min(due_at) as oldest, (select count(*) from deliveries_in_hand) as sending
    from delivery_queue
    where due_at <= ${now} and (merchant_id, event_id) not in (select merchant_id, event_id from deliveries_in_hand)`;
  return row!;
}

export type SealedSecrets = {
  webhook_secret: string;
  old_webhook_secret: string | null;
  secret_rotated_at: Date | null;
};

export async function selectSecrets(sql: Queryable, merchantId: number): Promise<SealedSecrets | null> {
  return await sql<SealedSecrets[]>`
    select webhook_secret, old_webhook_secret, secret_rotated_at from merchants where merchant_id = ${merchantId}`.first();
}

export async function replaceSecret(
  sql: Queryable,
  merchantId: number,
  { sealed, now, lastRotatedAt }: { sealed: string; now: Date; lastRotatedAt: Date | null },
): Promise<boolean> {
  return await sql`
    update merchants set old_webhook_secret = webhook_secret, webhook_secret = ${sealed}, secret_rotated_at = ${now}
    where merchant_id = ${merchantId} and secret_rotated_at is not distinct from ${lastRotatedAt}::timestamptz
    returning merchant_id`.some();
}

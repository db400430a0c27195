import type { Queryable, Transaction } from '../../../base/database/connect.ts';

/** Senders listen on this channel. PostgreSQL sends the NOTIFY when the event's transaction commits. */
export const deliveryChannel = 'milaan_deliveries';

export type EventRow = {
  merchantId: number;
  eventId: string;
  type: string;
  orderId: string | null;
  webhookUrl: string;
  body: string;
  destination: string;
  now: Date;
  /** The position in the retry schedule; the last step is tried once. */
  step: number;
  askedBy: 'schedule' | 'merchant';
};

export async function insertEvent(sql: Queryable, event: EventRow): Promise<boolean> {
  const [row] = await sql<{ is_new: boolean }[]>`
    select record_event(${event.merchantId}, ${event.eventId}, ${event.type}, ${event.orderId}, ${event.webhookUrl}, ${event.body},
      ${event.destination}, ${event.now}, ${event.step}, ${event.askedBy}) as is_new`;
  return row!.is_new;
}

/** Returns null if the event's body was deleted. The deletion locks the event first and checks again. */
export async function lockEvent(tx: Transaction, merchantId: number, eventId: string) {
  const [row] = await tx<{ type: string; webhook_url: string; created_at: Date }[]>`
    select type, webhook_url, created_at from events where merchant_id = ${merchantId} and event_id = ${eventId} for share`;
  if (!row) return null;
  const kept = await tx`
    select from event_bodies where merchant_id = ${merchantId} and event_id = ${eventId} and created_at = ${row.created_at}`;
  return kept.length === 1 ? row : null;
}

export async function bringForward(sql: Queryable, merchantId: number, eventId: string, now: Date) {
  const rows = await sql`
    update delivery_queue q set due_at = least(due_at, ${now}), asked_by = 'merchant'
    where merchant_id = ${merchantId} and event_id = ${eventId} and not exists (
      select from deliveries_in_hand h where h.merchant_id = q.merchant_id and h.event_id = q.event_id)
    returning delivery_id`;
  if (rows.length === 1) await sql.notify(deliveryChannel, '');
  return rows.length === 1;
}

/** Queues another delivery. An event that is already in the queue stays as it is. */
export async function insertResend(
  sql: Queryable,
  merchantId: number,
  eventId: string,
  { now, step, destination }: { now: Date; step: number; destination: string },
): Promise<boolean> {
  const rows = await sql`
    with again as (
      insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at, asked_by)
      select ${merchantId}::bigint, ${eventId}, ${lastAttempt(sql, merchantId, eventId)} + 1, ${step}::int, ${destination},
        ${now}::timestamptz, 'merchant'
      on conflict do nothing
      returning merchant_id, event_id
    ), opened as (
      delete from given_up_events g using again
      where g.merchant_id = again.merchant_id and g.event_id = again.event_id
    )
    select from again`;
  if (rows.length === 1) await sql.notify(deliveryChannel, '');
  return rows.length === 1;
}

function lastAttempt(sql: Queryable, merchantId: unknown, eventId: unknown) {
  return sql`coalesce((select max(l.attempt) from delivery_log l
    where l.merchant_id = ${merchantId} and l.event_id = ${eventId}), 0)`;
}

export async function insertResends(
  sql: Queryable,
  merchantId: number,
  events: readonly { event_id: string; destination: string }[],
  now: Date,
): Promise<number> {
  const rows = await sql`
    with again as (
      insert into delivery_queue (merchant_id, event_id, attempt, step, destination, due_at, asked_by)
      select ${merchantId}::bigint, n.event_id, ${lastAttempt(sql, merchantId, sql`n.event_id`)} + 1, 0, n.destination,
        ${now}::timestamptz, 'merchant'
      from unnest(${events.map(one => one.event_id)}::text[], ${events.map(one => one.destination)}::text[])
        as n (event_id, destination)
      on conflict do nothing
      returning merchant_id, event_id
    )
    delete from given_up_events g using again
    where g.merchant_id = again.merchant_id and g.event_id = again.event_id
    returning g.event_id`;
  if (rows.length > 0) await sql.notify(deliveryChannel, '');
  return rows.length;
}

export async function selectLastWebhookUrl(sql: Queryable, merchantId: number): Promise<string | null> {
  return await sql<{ webhook_url: string }[]>`
    select webhook_url from orders where merchant_id = ${merchantId} and webhook_url <> ''
    order by created_at desc, order_id desc limit 1`.value();
}

export async function countEventsSince(sql: Queryable, merchantId: number, type: string, since: Date) {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from events
    where merchant_id = ${merchantId} and created_at > ${since} and type = ${type}`;
  return row?.count ?? 0;
}

/** Returns the optional events that a business chose, and its address for events without an order. */
export async function selectWanted(sql: Queryable, merchantId: number) {
  const [row] = await sql<{ wanted_events: string[]; webhook_url: string | null }[]>`
    select wanted_events, webhook_url from merchants where merchant_id = ${merchantId}`;
  return row ?? { wanted_events: [], webhook_url: null };
}

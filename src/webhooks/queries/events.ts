import type { Queryable } from '../../database/connect.ts';

/** Senders listen here; a NOTIFY is heard when the transaction that wrote the row commits. */
export const deliveryChannel = 'milaan_deliveries';

type EventRow = {
  merchantId: number;
  eventId: string;
  type: string;
  orderId: string | null;
  webhookUrl: string;
  body: string;
  destination: string;
  now: Date;
  step: number;
  askedBy: string;
};

export async function insertEvent(sql: Queryable, event: EventRow): Promise<boolean> {
  const rows = await sql`
    with fresh as (
      insert into events (merchant_id, event_id, type, order_id, webhook_url, body, created_at, state)
      values (${event.merchantId}, ${event.eventId}, ${event.type}, ${event.orderId}, ${event.webhookUrl},
        ${event.body}, ${event.now}, ${event.webhookUrl === '' ? 'delivered' : 'open'})
      on conflict do nothing
      returning merchant_id, event_id, created_at
    ), first as (
      insert into deliveries (merchant_id, event_id, attempt, step, destination, state, due_at, asked_by)
      select merchant_id, event_id, 1, ${event.step}::int, ${event.destination}, 'waiting', created_at, ${event.askedBy}
      -- An order without a shop has nobody to be told; what happened is recorded all the same.
      from fresh where ${event.webhookUrl} <> ''
      returning delivery_id
    )
    select (select count(pg_notify(${deliveryChannel}, '')) from first) from fresh`;
  return rows.length === 1;
}

export async function selectEventType(
  sql: Queryable,
  merchantId: number,
  eventId: string,
): Promise<string | null> {
  const [row] = await sql<{ type: string }[]>`
    select type from events where merchant_id = ${merchantId} and event_id = ${eventId}`;
  return row?.type ?? null;
}

/** A retry that waits is simply due now. */
export async function bringForward(
  sql: Queryable,
  merchantId: number,
  eventId: string,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    with moved as (
      update deliveries set due_at = least(due_at, ${now}), asked_by = 'merchant'
      where merchant_id = ${merchantId} and event_id = ${eventId} and state = 'waiting'
      returning delivery_id
    )
    select pg_notify(${deliveryChannel}, '') from moved`;
  return rows.length === 1;
}

/** A further delivery of an event that is not in the queue. One that is there already conflicts, and stays. */
export async function insertResend(
  sql: Queryable,
  merchantId: number,
  eventId: string,
  { now, step }: { now: Date; step: number },
): Promise<boolean> {
  const rows = await sql`
    with again as (
      insert into deliveries (merchant_id, event_id, attempt, step, destination, state, due_at, asked_by)
      select d.merchant_id, d.event_id, d.attempt + 1, ${step}::int, d.destination, 'waiting', ${now}::timestamptz, 'merchant'
      from deliveries d
      where d.merchant_id = ${merchantId} and d.event_id = ${eventId}
      order by d.attempt desc limit 1
      on conflict do nothing
      returning merchant_id, event_id
    ), opened as (
      update events e set state = 'open' from again
      where e.merchant_id = again.merchant_id and e.event_id = again.event_id and e.state = 'failed'
    )
    select pg_notify(${deliveryChannel}, '') from again`;
  return rows.length === 1;
}

/** Every failed event of a business into the queue, the oldest first, as many as one statement should hold. */
export async function insertResendOfFailed(
  sql: Queryable,
  merchantId: number,
  { now, most, testType }: { now: Date; most: number; testType: string },
): Promise<number> {
  const rows = await sql`
    with failed as (
      select merchant_id, event_id from events
      where merchant_id = ${merchantId} and state = 'failed' and type <> ${testType}
      order by created_at limit ${most} for update skip locked
    ), again as (
      insert into deliveries (merchant_id, event_id, attempt, step, destination, state, due_at, asked_by)
      select f.merchant_id, f.event_id, l.attempt + 1, 0, l.destination, 'waiting', ${now}::timestamptz, 'merchant'
      from failed f cross join lateral (
        select attempt, destination from deliveries d
        where d.merchant_id = f.merchant_id and d.event_id = f.event_id
        order by attempt desc limit 1) l
      on conflict do nothing
      returning merchant_id, event_id
    ), opened as (
      update events e set state = 'open' from again
      where e.merchant_id = again.merchant_id and e.event_id = again.event_id
    )
    select count(*) as count from again`;
  const count = Number(rows[0]?.['count'] ?? 0);
  if (count > 0) await sql`select pg_notify(${deliveryChannel}, '')`;
  return count;
}

export async function selectLastWebhookUrl(sql: Queryable, merchantId: number): Promise<string | null> {
  const [row] = await sql<{ webhook_url: string }[]>`
    select webhook_url from orders where merchant_id = ${merchantId} order by created_at desc, order_id desc limit 1`;
  return row?.webhook_url ?? null;
}

export async function countEventsSince(
  sql: Queryable,
  merchantId: number,
  type: string,
  since: Date,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from events
    where merchant_id = ${merchantId} and created_at > ${since} and type = ${type}`;
  return row?.count ?? 0;
}

/** Which events beyond `payment.paid` a business asked for, and its own address for those that belong to no order. */
export async function selectWanted(
  sql: Queryable,
  merchantId: number,
): Promise<{ wanted_events: string[]; webhook_url: string | null }> {
  const [row] = await sql<{ wanted_events: string[]; webhook_url: string | null }[]>`
    select wanted_events, webhook_url from merchants where merchant_id = ${merchantId}`;
  return row ?? { wanted_events: [], webhook_url: null };
}

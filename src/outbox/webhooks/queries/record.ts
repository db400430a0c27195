import type { Queryable } from '../../../base/database/connect.ts';
import { isFree } from '../../../base/database/row-lease.ts';
import type { Reason } from '../../../texts/verdicts.ts';
import type { AttemptResult } from '../attempt-delivery.ts';
import { interrupted } from '../reason-of-failure.ts';

type DeliveryKey = { merchant_id: number; delivery_id: number; event_id: string };

/** What follows in the queue: the next attempt, or nothing. */
export type NextAttempt = { step: number; dueAt: Date } | null;

/**
 * Writes a failed attempt into the log, once, and what follows into the queue. False when it is no longer ours: its
 * lease lapsed, and another attempt is on its way. `finish_failed` of migration 65 says how.
 */
export async function finishFailed(sql: Queryable, key: DeliveryKey, done: AttemptResult, next: NextAttempt) {
  const [row] = await sql<{ is_ours: boolean }[]>`
    select finish_failed(${key.merchant_id}, ${key.event_id}, ${key.delivery_id}, ${done.startedAt}, ${done.durationMs},
      ${done.statusCode}, ${done.failure && sql.json(done.failure)}, ${done.response}, ${sql.json(done.request)},
      ${next?.step ?? null}, ${next?.dueAt ?? null}) as is_ours`;
  return row!.is_ours;
}

type DeliveredRow = DeliveryKey & AttemptResult;

/**
 * Writes many successes into the log at once; their destinations work again. Returns which deliveries were still ours,
 * and which destinations had failed so long that their owner was told: `finish_delivered` of migration 65 says how.
 */
export async function finishDelivered(
  sql: Queryable,
  rows: readonly DeliveredRow[],
): Promise<{ ids: Set<number>; recovered: RecoveredDestination[] }> {
  const done = JSON.stringify(
    rows.map(row => ({
      merchant_id: row.merchant_id,
      event_id: row.event_id,
      delivery_id: row.delivery_id,
      started_at: row.startedAt,
      duration_ms: row.durationMs,
      status_code: row.statusCode,
      response: row.response,
      request: row.request,
    })),
  );
  const finished = await sql<FinishedRow[]>`select * from finish_delivered(${done}::json)`;
  const recovered = new Map<string, RecoveredDestination>();
  for (const { merchant_id, destination, failing_since } of finished) {
    if (merchant_id === null || destination === null || failing_since === null) continue;
    recovered.set(`${merchant_id} ${destination}`, { merchant_id, destination, failing_since });
  }
  return { ids: new Set(finished.map(row => row.delivery_id)), recovered: [...recovered.values()] };
}

type FinishedRow = { delivery_id: number } & {
  [key in keyof RecoveredDestination]: RecoveredDestination[key] | null;
};

export type RecoveredDestination = { merchant_id: number; destination: string; failing_since: Date };

/** An event that was once delivered stays delivered, and is not among those that never arrived. */
export async function giveUpEvent(sql: Queryable, key: DeliveryKey): Promise<void> {
  await sql`
    insert into given_up_events (merchant_id, event_id, created_at)
    select merchant_id, event_id, created_at from events e
    where merchant_id = ${key.merchant_id} and event_id = ${key.event_id} and not exists (
      select from delivery_log l
      where l.merchant_id = e.merchant_id and l.event_id = e.event_id and l.state = 'delivered')
    on conflict do nothing`;
}

const mostRepeated = 1000;

/**
 * What a killed sender had in hand. Nobody knows whether it was sent: the attempt is recorded as interrupted and
 * repeated at once, as a new attempt with the same event id.
 */
export async function repeatLapsed(sql: Queryable, now: Date): Promise<number> {
  const rows = await sql`
    with lapsed as (
      delete from deliveries_in_hand where (merchant_id, event_id) in (
        select merchant_id, event_id from deliveries_in_hand
        where ${isFree(sql, now)} order by leased_until limit ${mostRepeated} for update skip locked)
      returning merchant_id, event_id, started_at
    ), queued as (
      select q.*, l.started_at from delivery_queue q join lapsed l using (merchant_id, event_id) for update of q
    ), logged as (
      insert into delivery_log (merchant_id, delivery_id, event_id, attempt, state, due_at, started_at, failure, asked_by)
      select merchant_id, delivery_id, event_id, attempt, 'failed', due_at, started_at, ${sql.json(interrupted)}::jsonb, asked_by
      from queued
    )
    update delivery_queue q set attempt = q.attempt + 1, due_at = ${now}, delivery_id = nextval('delivery_ids')
    from queued f where q.merchant_id = f.merchant_id and q.event_id = f.event_id
    returning q.delivery_id`;
  return rows.length;
}

export type FailingDestination = {
  destination: string;
  failing_since: Date;
  failures: number;
  last_failure: Reason;
  told_at: Date | null;
};

export async function countFailure(
  sql: Queryable,
  key: { merchant_id: number; destination: string },
  failure: Reason,
  now: Date,
): Promise<FailingDestination> {
  const [row] = await sql<FailingDestination[]>`
    insert into failing_destinations as f (merchant_id, destination, failing_since, failures, last_failure)
    values (${key.merchant_id}, ${key.destination}, ${now}, 1, ${sql.json(failure)})
    on conflict (merchant_id, destination)
      do update set failures = f.failures + 1, last_failure = excluded.last_failure
    returning destination, failing_since, failures, last_failure, told_at`;
  return row!;
}

export async function markTold(
  sql: Queryable,
  key: { merchant_id: number; destination: string },
  now: Date,
): Promise<void> {
  await sql`
    update failing_destinations set told_at = ${now}
    where merchant_id = ${key.merchant_id} and destination = ${key.destination}`;
}

export async function selectFailing(sql: Queryable, merchantId: number): Promise<FailingDestination[]> {
  return await sql<FailingDestination[]>`
    select destination, failing_since, failures, last_failure, told_at from failing_destinations
    where merchant_id = ${merchantId} order by failing_since limit 100`;
}

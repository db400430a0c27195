import type { Queryable } from '../../database/connect.ts';
import type { Reason } from '../../verdicts.ts';

type DeliveryKey = { merchant_id: number; delivery_id: number; event_id: string };

export type FinishedDelivery = {
  state: 'delivered' | 'failed';
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  failure: Reason | null;
  response: string | null;
  request: Record<string, unknown>;
};

/** False when the lease had lapsed and the row was given up already: then another attempt is on its way. */
export async function finishDelivery(
  sql: Queryable,
  key: DeliveryKey,
  done: FinishedDelivery,
): Promise<boolean> {
  const rows = await sql`
    update deliveries set state = ${done.state}, leased_until = null, started_at = ${done.startedAt},
      duration_ms = ${done.durationMs}, status_code = ${done.statusCode}, failure = ${done.failure && sql.json(done.failure)},
      response = ${done.response}, request = ${sql.json(done.request as never)}
    where merchant_id = ${key.merchant_id} and delivery_id = ${key.delivery_id} and state = 'sending'
    returning delivery_id`;
  return rows.length === 1;
}

type DeliveredRow = DeliveryKey & Omit<FinishedDelivery, 'state'>;

/**
 * `finishDelivery`, `closeEvent` and `clearFailing` for many successes at once. Answers which deliveries were still
 * ours, and which destinations had failed so long that their owner was told. Rows of destinations are shared between
 * senders, so they are locked in one order.
 */
export async function finishDelivered(
  sql: Queryable,
  rows: readonly DeliveredRow[],
): Promise<{ ids: Set<number>; recovered: RecoveredDestination[] }> {
  const done = JSON.stringify(
    rows.map(row => ({
      merchant_id: row.merchant_id,
      delivery_id: row.delivery_id,
      started_at: row.startedAt,
      duration_ms: row.durationMs,
      status_code: row.statusCode,
      response: row.response,
      request: row.request,
    })),
  );
  const finished = await sql<FinishedRow[]>`
    with finished as (
      update deliveries d set state = 'delivered', leased_until = null, started_at = n.started_at,
        duration_ms = n.duration_ms, status_code = n.status_code, failure = null, response = n.response, request = n.request
      from json_to_recordset(${done}::json) as n (merchant_id bigint, delivery_id bigint, started_at timestamptz,
        duration_ms int, status_code int, response text, request jsonb)
      where d.merchant_id = n.merchant_id and d.delivery_id = n.delivery_id and d.state = 'sending'
      returning d.merchant_id, d.delivery_id, d.event_id, d.destination
    ), closed as (
      update events e set state = 'delivered' from finished f
      where e.merchant_id = f.merchant_id and e.event_id = f.event_id and e.state <> 'delivered'
    ), failing as (
      select merchant_id, destination from failing_destinations
      where (merchant_id, destination) in (select merchant_id, destination from finished)
      order by merchant_id, destination for update
    ), cleared as (
      delete from failing_destinations f using failing g
      where f.merchant_id = g.merchant_id and f.destination = g.destination
      returning f.merchant_id, f.destination, f.failing_since, f.told_at
    )
    select f.delivery_id, c.merchant_id, c.destination, c.failing_since from finished f
    left join cleared c on c.merchant_id = f.merchant_id and c.destination = f.destination and c.told_at is not null`;
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

/** An event that was delivered once stays so. */
export async function closeEvent(
  sql: Queryable,
  key: DeliveryKey,
  state: 'delivered' | 'failed',
): Promise<void> {
  await sql`
    update events set state = ${state}
    where merchant_id = ${key.merchant_id} and event_id = ${key.event_id} and state <> 'delivered'`;
}

type NextDelivery = DeliveryKey & { attempt: number; step: number; destination: string; dueAt: Date };

export async function insertNextDelivery(sql: Queryable, next: NextDelivery): Promise<void> {
  await sql`
    insert into deliveries (merchant_id, event_id, attempt, step, destination, state, due_at)
    values (${next.merchant_id}, ${next.event_id}, ${next.attempt}, ${next.step}, ${next.destination}, 'waiting',
      ${next.dueAt})`;
}

/** Leases that ran out: the attempt is written down as interrupted, and repeated at once in a row of its own. */
export async function repeatLapsedDeliveries(
  sql: Queryable,
  { now, most, failure }: { now: Date; most: number; failure: Reason },
): Promise<number> {
  const rows = await sql`
    with lapsed as (
      select merchant_id, delivery_id from deliveries
      where state = 'sending' and leased_until <= ${now}
      order by leased_until limit ${most} for update skip locked
    ), given_up as (
      update deliveries d set state = 'failed', leased_until = null, failure = ${sql.json(failure)}
      from lapsed l where d.merchant_id = l.merchant_id and d.delivery_id = l.delivery_id
      returning d.merchant_id, d.event_id, d.attempt, d.step, d.destination, d.asked_by
    )
    insert into deliveries (merchant_id, event_id, attempt, step, destination, state, due_at, asked_by)
    select merchant_id, event_id, attempt + 1, step, destination, 'waiting', ${now}::timestamptz, asked_by from given_up
    returning delivery_id`;
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

/** The destination works again; what was known about its failing, if it had failed. */
export async function clearFailing(
  sql: Queryable,
  key: { merchant_id: number; destination: string },
): Promise<FailingDestination | null> {
  const [row] = await sql<FailingDestination[]>`
    delete from failing_destinations where merchant_id = ${key.merchant_id} and destination = ${key.destination}
    returning destination, failing_since, failures, last_failure, told_at`;
  return row ?? null;
}

export async function selectFailing(sql: Queryable, merchantId: number): Promise<FailingDestination[]> {
  return await sql<FailingDestination[]>`
    select destination, failing_since, failures, last_failure, told_at from failing_destinations
    where merchant_id = ${merchantId} order by failing_since limit 100`;
}

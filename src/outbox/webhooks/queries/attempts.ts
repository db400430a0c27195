import { later, second } from '../../../base/clock.ts';
import type { Queryable, Transaction } from '../../../base/database/connect.ts';
import type { World } from '../../../base/world.ts';
import type { Reason } from '../../../texts/verdicts.ts';
import { interrupted, type Outcome } from '../reason-of-failure.ts';
import { testEventType } from '../send-test-event.ts';
import type { FailingDestination } from './deliveries.ts';

export type AttemptResult = {
  outcome: Outcome;
  failure: Reason | null;
  statusCode: number | null;
  response: string | null;
  request: { url: string; headers: Record<string, string> };
  startedAt: Date;
  durationMs: number;
};

export type ClaimedDelivery = {
  merchant_id: number;
  delivery_id: number;
  event_id: string;
  attempt: number;
  step: number;
  destination: string;
  leased_until: Date;
  type: string;
  order_id: string | null;
  webhook_url: string;
  body: string;
  /** The connected shop whose secret signs the event; null for the business's own secret. */
  shop: string | null;
  webhook_secret: string;
  old_webhook_secret: string | null;
  secret_rotated_at: Date | null;
  /** A recent first attempt, which may use the places reserved for such attempts. */
  is_live: boolean;
  /** Only set in the first row: another delivery is due but unclaimed, because its destination is at its limit. */
  is_left: boolean | null;
};

/** Twice the attempt limit, so a process that still holds the row has died. */
const leaseFor = 30 * second;
/** A slow destination holds four places. A business with many destinations holds sixteen. */
const mostPerDestination = 4;
const mostPerMerchant = 16;
/** A first attempt that waited longer counts as backlog. */
const liveFor = 15 * second;
/** The number of rows that one claim examines. Rows of full destinations do not count. */
const lookAhead = 128;

/** `backlogPlaces` is the part that other than live attempts may use. */
export type FreePlaces = { places: number; backlogPlaces: number };

/**
 * Leases due deliveries for the free places: live first attempts first, fair between businesses. See `claim_deliveries`
 * in the migrations. One statement locks and claims, so a stalled process cannot keep the lock.
 */
export async function claimDue(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  { places, backlogPlaces }: FreePlaces,
): Promise<ClaimedDelivery[]> {
  const now = clock.now();
  const leasedUntil = later(now, leaseFor);
  const claimed = await sql<(ClaimedDelivery & ShopSecrets)[]>`
    select c.*, s.*, case when row_number() over () = 1 then is_delivery_left(${now}) end as is_left
    from claim_deliveries(${now}, ${leasedUntil}, ${later(now, -liveFor)}, ${places}, ${backlogPlaces},
        ${mostPerDestination}, ${mostPerMerchant}, ${lookAhead}) c
      left join lateral shop_secrets(c.merchant_id, c.order_id, c.type = ${testEventType}, c.webhook_url) s on true`;
  return claimed.map(({ shop_secret, old_shop_secret, shop_secret_rotated_at, ...delivery }) => ({
    ...delivery,
    leased_until: leasedUntil,
    ...(shop_secret !== null && {
      webhook_secret: shop_secret,
      old_webhook_secret: old_shop_secret,
      secret_rotated_at: shop_secret_rotated_at,
    }),
  }));
}

type ShopSecrets = {
  shop_secret: string | null;
  old_shop_secret: string | null;
  shop_secret_rotated_at: Date | null;
};

type DeliveryKey = { merchant_id: number; delivery_id: number; event_id: string };

/** Null: no further attempt. */
export type NextAttempt = { step: number; dueAt: Date } | null;

/** Queues the next attempt too. False if the lease was lost. See `finish_failed` in the migrations. */
export async function finishFailed(sql: Queryable, key: DeliveryKey, done: AttemptResult, next: NextAttempt) {
  const [row] = await sql<{ is_ours: boolean }[]>`
    select finish_failed(${key.merchant_id}, ${key.event_id}, ${key.delivery_id}, ${done.startedAt}, ${done.durationMs},
      ${done.statusCode}, ${done.failure && sql.json(done.failure)}, ${done.response}, ${sql.json(done.request)},
      ${next?.step ?? null}, ${next?.dueAt ?? null}) as is_ours`;
  return row!.is_ours;
}

type DeliveredRow = DeliveryKey & AttemptResult;

/** Returns the deliveries that were still ours, or null and writes nothing if an owner must hear of a recovery. */
export async function finishWithoutNotice(
  sql: Queryable,
  rows: readonly DeliveredRow[],
): Promise<Set<number> | null> {
  try {
    const ids = await sql<{ id: number }[]>`select finish_quietly(${attemptsOf(rows)}::json) as id`;
    return new Set(ids.map(({ id }) => id));
  } catch (error) {
    if ((error as { code?: string }).code === 'ML001') return null;
    throw error;
  }
}

/** Also returns destinations whose owner was warned of their failure. See `finish_delivered` in the migrations. */
export async function finishDelivered(
  tx: Transaction,
  rows: readonly DeliveredRow[],
): Promise<{ ids: Set<number>; recovered: RecoveredDestination[] }> {
  const finished = await tx<FinishedRow[]>`select * from finish_delivered(${attemptsOf(rows)}::json)`;
  const recovered = new Map<string, RecoveredDestination>();
  for (const { merchant_id, destination, failing_since } of finished) {
    if (merchant_id === null || destination === null || failing_since === null) continue;
    recovered.set(`${merchant_id} ${destination}`, { merchant_id, destination, failing_since });
  }
  return { ids: new Set(finished.map(row => row.delivery_id)), recovered: [...recovered.values()] };
}

function attemptsOf(rows: readonly DeliveredRow[]): string {
  return JSON.stringify(
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
}

type FinishedRow = { delivery_id: number } & {
  [key in keyof RecoveredDestination]: RecoveredDestination[key] | null;
};

export type RecoveredDestination = { merchant_id: number; destination: string; failing_since: Date };

/** Skips events that were delivered once; they stay delivered. */
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

/** Nobody knows whether a dead sender's attempt was sent, so it is logged as interrupted and repeated. */
export async function repeatLapsed(sql: Queryable, now: Date): Promise<number> {
  const [row] = await sql<{ repeated: number }[]>`
    select repeat_lapsed(${now}, ${mostRepeated}, ${sql.json(interrupted)}) as repeated`;
  return row!.repeated;
}

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

export async function markNotified(
  sql: Queryable,
  key: { merchant_id: number; destination: string },
  now: Date,
) {
  await sql`
    update failing_destinations set told_at = ${now}
    where merchant_id = ${key.merchant_id} and destination = ${key.destination}`;
}

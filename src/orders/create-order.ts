import { BoundedMap } from '../base/bounded-map.ts';
import { later, minute } from '../base/clock.ts';
import { batchQueries } from '../base/database/batch-queries.ts';
import { compareClocks } from '../base/database/compare-clocks.ts';
import type { Queryable } from '../base/database/connect.ts';
import { isTaken } from '../base/database/is-taken.ts';
import { withDeadline } from '../base/database/with-deadline.ts';
import { ApiError, movedAway } from '../base/http/api-error.ts';
import { checkDestination } from '../base/network/check-destination.ts';
import { randomDigits } from '../base/random.ts';
import { guardTime, lateWindow, payableTime } from '../base/time-windows.ts';
import type { World } from '../base/world.ts';
import type { PresentedKey } from '../business/merchants/api-key.ts';
import { findCaller, refuseStranger } from '../business/merchants/find-caller.ts';
import type { Caller } from '../business/merchants/queries.ts';
import { sayReason } from '../texts/say.ts';
import { because, type Reason } from '../texts/verdicts.ts';
import { showOptional } from './optional-fields.ts';
import { newPayToken, type Order } from './order.ts';
import {
  type CreateAnswer,
  type Created,
  type Creation,
  insertOrders,
  type NewOrder,
  type Refusal,
  selectReplay,
} from './queries.ts';
import type { CreateRequest } from './read-create-body.ts';

/** Another create can take the same amount or id while ours runs. One of them wins each round, so few are needed. */
const mostRounds = 200;
const longestRetrySeconds = 60;
const spentId =
  'merchant_order_id was used for an order that was paid and has left the history; use another one';

/** §4.1: creates an order, or finds the one that its merchant_order_id already has. It usually takes one round trip. */
export async function createOrder(
  sql: Queryable,
  world: Pick<World, 'clock' | 'config' | 'log' | 'baseUrl'>,
  key: Caller,
  request: CreateRequest,
  insert: InsertOrder = (caller, order) => insertAlone(sql, caller, order),
): Promise<{ order: Order; replayed: boolean }> {
  // With a wrong clock, money would miss its order, or an amount that somebody may still pay would be given away.
  if (world.clock.inDoubt?.()) await withDeadline(compareClocks(sql, world));
  if (world.clock.unsettled) {
    throw new ApiError('service_unavailable', { retryAfterSeconds: longestRetrySeconds });
  }
  for (let round = 0; round < mostRounds; round++) {
    const order = newOrder(world, key, request);
    const row = await insert(key, order);
    if (row === undefined) throw new ApiError('invalid_api_key');
    // If it is busy, the last amount may just have gone to this very id.
    if (row.outcome === 'replay' || row.outcome === 'all_payment_slots_busy') {
      const earlier = await findReplay(sql, world, key, request.merchantOrderId);
      if (earlier) return { order: earlier, replayed: true };
    }
    switch (row.outcome) {
      case 'created':
        return { order: createdOrder(key, order, row), replayed: false };
      case 'id_spent':
        throw new ApiError('invalid_request', { fields: { details: spentId } });
      case 'replay':
      case 'lost_race':
        break;
      default:
        refuse(world, row);
    }
  }
  throw new ApiError('service_unavailable', { retryAfterSeconds: 1 });
}

function newOrder(
  { clock, config }: Pick<World, 'clock' | 'config'>,
  key: Caller,
  request: CreateRequest,
): NewOrder {
  const createdAt = clock.now();
  const expiresAt = later(createdAt, payableTime);
  return {
    order_id: `${config.orderIdPrefix}-${randomDigits(10)}`,
    merchant_order_id: request.merchantOrderId,
    amount_paise: request.amount,
    created_at: createdAt,
    expires_at: expiresAt,
    held_until: later(expiresAt, lateWindow + guardTime),
    pay_token: newPayToken(key.merchantId),
    account_id: request.account,
    success_url: request.successUrl,
    failure_url: request.failureUrl,
    webhook_url: request.webhookUrl,
    customer: request.customer,
    optional: request.optional ?? null,
  };
}

function createdOrder({ merchantId }: Caller, order: NewOrder, row: Created): Order {
  const { payable_paise, account_id, vpa, payee_name, account_kind, merchant_code } = row;
  return {
    ...order,
    merchant_id: merchantId,
    status: 'pending',
    received_paise: null,
    paid_at: null,
    ...showOptional(order.optional ?? {}),
    ...{ payable_paise, account_id, vpa, payee_name, account_kind, merchant_code },
  };
}

export const noNewOrders = 'This business takes no new orders now.';

export function noUpiId(baseUrl: string): string {
  return `Add a UPI ID before you create orders, at ${baseUrl}/dashboard/upi-accounts.`;
}

function refuse({ clock, baseUrl }: Pick<World, 'clock' | 'baseUrl'>, row: Refusal): never {
  // §7: the answer includes an upgrade address even if the plan has none.
  const upgrade_url = row.upgrade_url ?? `${baseUrl}/dashboard/plan`;
  switch (row.outcome) {
    case 'payment_account_paused':
      throw new ApiError(row.outcome, { fields: { upgrade_url } });
    case 'plan_limit_reached':
      throw new ApiError(row.outcome, {
        fields: { limit_paise: row.limit_paise, collected_paise: row.collected_paise, upgrade_url },
      });
    case 'all_payment_slots_busy': {
      const wait = row.next_free_at
        ? Math.ceil((row.next_free_at.getTime() - clock.now().getTime()) / 1000)
        : 1;
      throw new ApiError(row.outcome, {
        retryAfterSeconds: Math.min(Math.max(wait, 1), longestRetrySeconds),
      });
    }
    case 'service_unavailable':
      throw movedAway();
    case 'upi_not_configured':
      throw new ApiError(row.outcome, { message: noUpiId(baseUrl) });
    case 'merchant_disabled':
      throw new ApiError(row.outcome, { message: noNewOrders });
    default:
      throw new ApiError(row.outcome);
  }
}

/** §4.1, replay rule 2: a used id is answered before the rest of the body is examined. */
export async function findReplay(
  sql: Queryable,
  { clock }: Pick<World, 'clock'>,
  key: Caller,
  merchantOrderId: string,
): Promise<Order | null> {
  const [row] = await withDeadline(selectReplay(sql, key, merchantOrderId, clock.now()));
  refuseStranger(row);
  return row.order_id === null ? null : row;
}

/** Returns undefined if the key is unknown. */
export type InsertOrder = (caller: Caller, order: NewOrder) => Promise<CreateAnswer | undefined>;

/** Creates that share a commit. With more, each would wait for the locks of all others. */
const mostTogether = 8;
/** Commits in progress. More of them would take the processor from the requests that are being parsed. */
const mostAtOnce = 4;
const deadlock = '40P01';

/** Creates that arrive together share one query and one commit. */
export function openInsertOrders(world: Pick<World, 'sql'>): InsertOrder {
  const insert = batchQueries((creations: readonly Creation[]) => insertTogether(world.sql, creations), {
    mostInOne: mostTogether,
    mostAtOnce,
  });
  return (caller, order) => insert({ caller, order });
}

async function insertTogether(
  sql: Queryable,
  creations: readonly Creation[],
): Promise<(CreateAnswer | undefined)[]> {
  const [first] = creations;
  if (creations.length === 1 && first) return [await insertAlone(sql, first.caller, first.order)];
  // Lock rupees in ascending order, or two batches could deadlock.
  const inOrder = creations.map((creation, place) => ({ creation, place })).sort(byMerchantAndAmount);
  const answers = new Array<CreateAnswer | undefined>(creations.length);
  try {
    const rows = await withDeadline(
      insertOrders(
        sql,
        inOrder.map(({ creation }) => creation),
      ),
    );
    for (const row of rows) answers[inOrder[row.place - 1]!.place] = row;
    return answers;
  } catch (error) {
    // Another create took one of the ids, or two batches deadlocked. All was rolled back, so run each create alone.
    if (!isTaken(error) && (error as { code?: string }).code !== deadlock) throw error;
    return await Promise.all(creations.map(({ caller, order }) => insertAlone(sql, caller, order)));
  }
}

type Placed = { creation: Creation; place: number };

function byMerchantAndAmount({ creation: a }: Placed, { creation: b }: Placed): number {
  return a.caller.merchantId - b.caller.merchantId || a.order.amount_paise - b.order.amount_paise;
}

async function insertAlone(
  sql: Queryable,
  caller: Caller,
  order: NewOrder,
): Promise<CreateAnswer | undefined> {
  try {
    const [row] = await withDeadline(insertOrders(sql, [{ caller, order }]));
    return row;
  } catch (error) {
    // Another create has the same merchant_order_id (R5) or, very rarely, the same random order id. Everything was
    // rolled back, the reserved amount too.
    if (isTaken(error)) return { outcome: 'lost_race' };
    throw error;
  }
}

const worded = [
  'upi_not_configured',
  'payment_account_paused',
  'plan_limit_reached',
  'merchant_disabled',
  'all_payment_slots_busy',
  'service_unavailable',
] as const;

/** Why no order could be created, worded for the person who is signed in. */
export function whyRefused(error: ApiError): Reason {
  const code = worded.find(one => one === error.code);
  return code ? because(code) : because('quoted', { sentence: error.message });
}

/** A shop sends the same webhook_url with every order. Asking DNS each time would cost more than the create. */
const rememberFor = 1 * minute;
const mostRemembered = 10_000;

export type WebhookProblem = (key: PresentedKey, url: string) => Promise<string | null>;

/**
 * §4.1. An accepted address is remembered for a minute. This is safe because every send checks the address again in
 * its connection.
 */
export function openWebhookProblem(world: Pick<World, 'sql' | 'clock' | 'dns' | 'config'>): WebhookProblem {
  const acceptedUntil = new BoundedMap<string, number>(mostRemembered);
  return async (key, url) => {
    const now = world.clock.now().getTime();
    if ((acceptedUntil.get(url) ?? 0) > now) return null;
    // Ask DNS only for known callers, so that strangers cannot make us look up names.
    await findCaller(world, key);
    const judged = await checkDestination(world, url);
    if (!judged.ok)
      return `webhook_url ${sayReason('en', judged.reason)}${wayOut(world.config, judged.reason)}`;
    acceptedUntil.set(url, now + rememberFor);
    return null;
  };
}

const notReached = ['private_address', 'single_label', 'private_suffix', 'address_not_public'];

/** A private address is usual on a developer's machine, so the sandbox says what works instead. */
function wayOut({ mode }: World['config'], { code }: Reason): string {
  if (mode !== 'sandbox' || !notReached.includes(code)) return '';
  return '; in a sandbox, name the host in WEBHOOK_ALLOW, or send a public address and run `milaan listen` next to your program';
}

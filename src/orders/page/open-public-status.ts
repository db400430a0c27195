import { BoundedMap } from '../../base/bounded-map.ts';
import { minute, second, stopwatch } from '../../base/clock.ts';
import { batchQueries } from '../../base/database/batch-queries.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import { rupees } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { refuseByStanding } from '../../business/merchants/find-caller.ts';
import type { Standing } from '../../business/merchants/queries.ts';
import { merchantOfToken, returnUrl } from '../order.ts';
import type { OrderNews } from '../order-news.ts';
import type { OrderStatus } from '../schemas.ts';
import { type StatusRow, selectStatuses } from './queries.ts';

/** §4.4: what anybody who holds the link may know of an order, and nothing else. */
type PublicStatus = {
  order_id: string;
  status: OrderStatus;
  payable_amount: number;
  expires_at: string;
  /** Only present if the order must not be paid: no mailbox is connected, so nobody would notice the payment. */
  payable?: false;
  /** The received sum, if it differs from the payable amount. A person checks it, or has decided. */
  received_amount?: number;
  /**
   * Set once the status is final. An expired order counts as final here, although a late alert can still pay it: §3
   * returns the customer to failure_url at the expiry. A customer who stays then sees `paid` and success_url.
   */
  return_url?: string;
};

/** Answers kept in memory. The oldest is dropped first. */
const keptLimit = 20_000;
/** Paid is final (R4). But a shorter plan or a deleted business removes the order, so this must not be longer. */
const paidKeptFor = 1 * minute;
/** For other statuses, while change notifications arrive. Other changes, such as the shop's mailbox, wait so long. */
const keptFor = 10 * second;

/** Most answers come from memory. The rest are batched: each query waits for the previous one. */
const oneAtATime = { mostAtOnce: 1 };

export type ReadPublicStatus = ReturnType<typeof openPublicStatus>;

/** `leavesAt` is when the order leaves its plan's history window, as known when it was read. */
type Found = { status: PublicStatus; leavesAt: Date | null; standing: Standing };
type Known = {
  status: PublicStatus;
  json: string;
  until: number;
  /** The same by a clock that nobody can set. */
  goodUntil: number;
};

/**
 * Reads the public status of many orders with few queries, none of which began before the question. An answer is valid
 * until the database reports a change, for seconds at most, and never past a moment when it changes by itself.
 */
export function openPublicStatus(world: Pick<World, 'sql' | 'clock'>, news: OrderNews | null = null) {
  const age = stopwatch();
  const kept = new BoundedMap<string, Known>(keptLimit, ({ goodUntil }) => goodUntil <= age());
  /** Questions whose query has not begun, so that a crowd that looks at one order asks once. */
  const waiting = new Map<string, Promise<Found | null>>();
  /** Orders that changed while the one query runs: its answer may be older than the change. */
  let changed: Set<string | null> | null = null;
  const read = batchQueries(async (asked: readonly Asked[]) => {
    for (const { token } of asked) waiting.delete(token);
    const during = new Set<string | null>();
    changed = during;
    const isHeard = news?.isHearing() ?? false;
    try {
      const answers = await readBatch(world, asked);
      for (const [place, { token }] of asked.entries()) {
        const found = answers[place];
        const isSure = isHeard && !during.has(token) && !during.has(null);
        if (found?.standing.refusal) kept.delete(token);
        else if (found && (isSure || found.status.status === 'paid')) keep(token, found);
      }
      return answers;
    } finally {
      changed = null;
    }
  }, oneAtATime);

  news?.follow(token => {
    if (token === null) kept.clear();
    else kept.delete(token);
    changed?.add(token);
  });

  function join(asked: Asked): Promise<Found | null> {
    const joined = waiting.get(asked.token);
    if (joined) return joined;
    const answer = read(asked);
    waiting.set(asked.token, answer);
    // The question was given up before its query began, so later callers must ask again.
    answer.catch(() => waiting.get(asked.token) === answer && waiting.delete(asked.token));
    return answer;
  }

  function keep(token: string, { status, leavesAt }: Found): void {
    const limit = status.status === 'paid' ? paidKeptFor : keptFor;
    const now = world.clock.now().getTime();
    kept.set(token, {
      status,
      json: JSON.stringify(status),
      until: Math.min(
        now + limit,
        leavesAt?.getTime() ?? Number.POSITIVE_INFINITY,
        // R7: nobody reads `pending` after `expires_at`.
        status.status === 'pending' ? Date.parse(status.expires_at) : Number.POSITIVE_INFINITY,
      ),
      goodUntil: age() + limit,
    });
  }

  function find(token: string): Known | null {
    const known = kept.get(token);
    if (known === undefined) return null;
    if (world.clock.now().getTime() < known.until && age() < known.goodUntil) return known;
    kept.delete(token);
    return null;
  }

  const ask = async (token: string): Promise<PublicStatus | null> => {
    const known = find(token);
    if (known) return known.status;
    const merchantId = merchantOfToken(token);
    if (merchantId === null) return null;
    const found = await join({ token, merchantId });
    if (found) refuseByStanding(found.standing);
    return found?.status ?? null;
  };
  return Object.assign(ask, {
    /** The answer from memory as JSON, if it is valid at this moment. */
    known: (token: string) => find(token)?.json ?? null,
  });
}

type Asked = { token: string; merchantId: number };

async function readBatch(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  asked: readonly Asked[],
): Promise<(Found | null)[]> {
  const merchantIds = asked.map(({ merchantId }) => merchantId);
  const tokens = asked.map(({ token }) => token);
  const rows = await withDeadline(selectStatuses(sql, merchantIds, tokens, clock.now()));
  const answers = new Array<Found | null>(asked.length).fill(null);
  for (const row of rows)
    answers[row.place - 1] = { status: presentStatus(row), leavesAt: row.leaves_at, standing: row };
  return answers;
}

function presentStatus(row: StatusRow): PublicStatus {
  const target = row.status === 'pending' ? null : returnUrl(row);
  const received =
    row.received_paise === row.payable_paise && row.status === 'paid' ? null : row.received_paise;
  return {
    order_id: row.order_id,
    status: row.status,
    payable_amount: rupees(row.payable_paise),
    expires_at: row.expires_at.toISOString(),
    ...(!row.confirmable && (row.status === 'pending' || row.status === 'expired') && { payable: false }),
    ...(received !== null && { received_amount: rupees(received) }),
    ...(target !== null && { return_url: target }),
  };
}

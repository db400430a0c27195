import { withDeadline } from '../database/with-deadline.ts';
import { ApiError } from '../http/api-error.ts';
import { rupees } from '../money.ts';
import type { OrderStatus } from '../orders/order.ts';
import { merchantOfToken } from '../orders/pay-token.ts';
import { returnUrl } from '../orders/return-url.ts';
import type { World } from '../world.ts';
import { type StatusRow, selectStatuses } from './queries.ts';

/** §4.4: what anybody who holds the link may know of an order, and nothing else. */
export type PublicStatus = {
  order_id: string;
  status: OrderStatus;
  payable_amount: number;
  expires_at: string;
  /**
   * Once final. An expired order counts as final here although a late alert can still pay it: §3 returns the customer
   * to failure_url at the expiry. Whoever stays and keeps asking sees `paid` with success_url if it comes to that.
   */
  return_url?: string;
};

/** How long requests are gathered before they become one query: unseen by a customer who asks every two seconds. */
const slice = 20;
/** So many orders in one query; the rest is the next query. */
const batchLimit = 2_000;
/** So many may wait; beyond that we say come back rather than grow. */
const waitingLimit = 50_000;
/** Paid is final (R4), so its answer may be kept; the oldest goes first. */
const keptLimit = 20_000;

const retrySeconds = 2;

type Waiting = {
  resolve(status: PublicStatus | null): void;
  reject(error: unknown): void;
};

/**
 * Reads the public status of many orders with few queries. One query is under way at a time; who asks meanwhile is
 * gathered by token for the next one. So every answer comes from a query that began after the question: nothing is
 * stale, and ten thousand polling customers are at most fifty small queries a second.
 */
export function openPublicStatus(
  world: Pick<World, 'sql' | 'clock'>,
): (token: string) => Promise<PublicStatus | null> {
  let waiting = new Map<string, Waiting[]>();
  let count = 0;
  let working = false;
  const kept = new Map<string, PublicStatus>();

  async function work(): Promise<void> {
    working = true;
    while (waiting.size > 0) {
      await new Promise(resolve => setTimeout(resolve, slice));
      const batch = new Map([...waiting].slice(0, batchLimit));
      try {
        // Whoever asks for the same order from here on wants an answer younger than this query.
        for (const token of batch.keys()) waiting.delete(token);
        const answers = await readBatch(world, [...batch.keys()]);
        for (const [token, readers] of batch) settle(token, readers, answers.get(token) ?? null);
      } catch (error) {
        // The database is away for those who joined meanwhile too; they hear it now and not after a further wait.
        for (const readers of [...batch.values(), ...waiting.values()])
          for (const reader of readers) reader.reject(error);
        waiting = new Map();
        count = 0;
      }
    }
    working = false;
  }

  function settle(token: string, readers: Waiting[], status: PublicStatus | null): void {
    count -= readers.length;
    if (status?.status === 'paid') keep(token, status);
    for (const reader of readers) reader.resolve(status);
  }

  function keep(token: string, status: PublicStatus): void {
    if (kept.size >= keptLimit) kept.delete(kept.keys().next().value!);
    kept.set(token, status);
  }

  return async token => {
    if (merchantOfToken(token) === null) return null;
    const known = kept.get(token);
    if (known) return known;
    if (count >= waitingLimit) throw new ApiError('service_unavailable', { retryAfterSeconds: retrySeconds });
    return await new Promise<PublicStatus | null>((resolve, reject) => {
      count++;
      const readers = waiting.get(token);
      if (readers) readers.push({ resolve, reject });
      else waiting.set(token, [{ resolve, reject }]);
      if (!working) void work();
    });
  };
}

async function readBatch(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  tokens: readonly string[],
): Promise<Map<string, PublicStatus>> {
  const merchantIds = tokens.map(token => merchantOfToken(token)!);
  const rows = await withDeadline(selectStatuses(sql, merchantIds, tokens, clock.now()));
  return new Map(rows.map(row => [row.pay_token, presentStatus(row)]));
}

function presentStatus(row: StatusRow): PublicStatus {
  const target = returnUrl(row);
  return {
    order_id: row.order_id,
    status: row.status,
    payable_amount: rupees(row.payable_paise),
    expires_at: row.expires_at.toISOString(),
    ...(target !== null && { return_url: target }),
  };
}

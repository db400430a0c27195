import { minute } from '../clock.ts';
import { gather } from '../database/gather.ts';
import { withDeadline } from '../database/with-deadline.ts';
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
  /** Only where it must not be paid: no mailbox is connected, so nobody would notice. */
  payable?: false;
  /** What came in, where it is not simply the payable amount: a person looks at it, or has decided. */
  received_amount?: number;
  /**
   * Once final. An expired order counts as final here although a late alert can still pay it: §3 returns the customer
   * to failure_url at the expiry. Whoever stays and keeps asking sees `paid` with success_url if it comes to that.
   */
  return_url?: string;
};

/** Paid is final (R4), so its answer may be kept; the oldest goes first. */
const keptLimit = 20_000;
/** Not for longer: a plan may get shorter and a business may go, and then the order goes with them. */
const keptTime = 1 * minute;

/** `leavesAt` is when the order leaves its plan's history window, as far as was known when it was read. */
type Found = { status: PublicStatus; leavesAt: Date | null };

/** Reads the public status of many orders with few queries, none of which began before the question. */
export function openPublicStatus(
  world: Pick<World, 'sql' | 'clock'>,
): (token: string) => Promise<PublicStatus | null> {
  const kept = new Map<string, { status: PublicStatus; until: number }>();
  /** Questions whose query has not begun: a crowd that looks at one order asks once. */
  const waiting = new Map<string, Promise<Found | null>>();
  const read = gather(async (asked: readonly Asked[]) => {
    for (const { token } of asked) waiting.delete(token);
    return await readBatch(world, asked);
  });

  function join(asked: Asked): Promise<Found | null> {
    const joined = waiting.get(asked.token);
    if (joined) return joined;
    const answer = read(asked);
    waiting.set(asked.token, answer);
    // Given up before its query began; whoever comes now asks anew.
    answer.catch(() => waiting.get(asked.token) === answer && waiting.delete(asked.token));
    return answer;
  }

  function keep(token: string, { status, leavesAt }: Found): void {
    if (kept.size >= keptLimit) kept.delete(kept.keys().next().value!);
    const until = world.clock.now().getTime() + keptTime;
    kept.set(token, { status, until: Math.min(until, leavesAt?.getTime() ?? until) });
  }

  return async token => {
    const known = kept.get(token);
    if (known && world.clock.now().getTime() < known.until) return known.status;
    kept.delete(token);
    const merchantId = merchantOfToken(token);
    if (merchantId === null) return null;
    const found = await join({ token, merchantId });
    if (found?.status.status === 'paid') keep(token, found);
    return found?.status ?? null;
  };
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
  for (const row of rows) answers[row.place - 1] = { status: presentStatus(row), leavesAt: row.leaves_at };
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

import { gather } from '../base/database/gather.ts';
import { withDeadline } from '../base/database/with-deadline.ts';
import { ApiError } from '../base/http/api-error.ts';
import type { World } from '../base/world.ts';
import type { PresentedKey } from '../business/merchants/api-key.ts';
import { refuseStranger } from '../business/merchants/find-caller.ts';
import { presentOrder } from './present-order.ts';
import { type OrderAnswer, type OrderQuestion, selectOrders } from './queries.ts';

/** Any prefix: ids of older installations stay valid (§9). */
const orderIdShape = /^[A-Za-z0-9]{1,12}-\d{10}$/;
/** Looked up instead of text that is no id, so that a stranger's key is refused first all the same. */
const nobodysId = '';

/** The oldest goes first. */
const keptLimit = 10_000;
/** Twice the usual: nobody fills the memory with names and addresses as long as they may be. */
const longestKept = 2_000;
type Kept = { version: string; json: string };

/** The order as JSON. */
export type GetOrder = (key: PresentedKey, orderId: string) => Promise<string>;

/**
 * §4.2. Another merchant's id answers like an unknown one (R12). Callers who ask together share a query. An answer is
 * written once: it stays in memory with the version that it was made of, and every question asks the database, after
 * the key and the business, whether the order still has that version.
 */
export function openGetOrder({ sql, clock, baseUrl }: Pick<World, 'sql' | 'clock' | 'baseUrl'>): GetOrder {
  const kept = new Map<string, Kept>();
  const read = gather(async (asked: readonly OrderQuestion[]) => {
    const rows = await withDeadline(selectOrders(sql, asked, clock.now()));
    const answers = new Array<OrderAnswer | undefined>(asked.length);
    for (const row of rows) answers[row.place - 1] = row;
    return answers;
  });

  function keep(name: string, next: Kept): void {
    kept.delete(name);
    if (next.json.length > longestKept) return;
    if (kept.size >= keptLimit) kept.delete(kept.keys().next().value!);
    kept.set(name, next);
  }

  return async (key, orderId) => {
    const name = `${key.merchantId}/${orderId}`;
    const known = kept.get(name);
    const version = known?.version ?? '';
    const row = await read({ key, orderId: orderIdShape.test(orderId) ? orderId : nobodysId, version });
    refuseStranger(row);
    if (row.version === '') {
      kept.delete(name);
      throw new ApiError('order_not_found');
    }
    if (row.whole === null) return known!.json;
    const { created_at, expires_at, paid_at } = row.whole;
    const json = JSON.stringify(
      presentOrder(
        { baseUrl },
        {
          ...row.whole,
          created_at: new Date(created_at),
          expires_at: new Date(expires_at),
          paid_at: paid_at === null ? null : new Date(paid_at),
        },
      ),
    );
    keep(name, { version: row.version, json });
    return json;
  };
}

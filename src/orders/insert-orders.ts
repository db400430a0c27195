import type { Queryable } from '../base/database/connect.ts';
import { gather } from '../base/database/gather.ts';
import { isTaken } from '../base/database/is-taken.ts';
import { withDeadline } from '../base/database/with-deadline.ts';
import type { World } from '../base/world.ts';
import type { Caller } from '../business/merchants/queries.ts';
import { type CreateAnswer, type Creation, insertOrders, type NewOrder } from './queries.ts';

/** Undefined: the key is unknown. */
export type InsertOrder = (caller: Caller, order: NewOrder) => Promise<CreateAnswer | undefined>;

/** Together they share a commit. More would make each of them wait for the locks of all. */
const mostTogether = 8;
/** Commits under way: more of them would take the processor from whoever parses requests. */
const mostUnderWay = 4;
const deadlock = '40P01';

/** Creates that arrive together share one statement and one commit. */
export function openInsertOrders(world: Pick<World, 'sql'>): InsertOrder {
  const insert = gather((creations: readonly Creation[]) => insertTogether(world.sql, creations), {
    mostInOne: mostTogether,
    mostUnderWay,
  });
  return (caller, order) => insert({ caller, order });
}

async function insertTogether(
  sql: Queryable,
  creations: readonly Creation[],
): Promise<(CreateAnswer | undefined)[]> {
  const [first] = creations;
  if (creations.length === 1 && first) return [await insertAlone(sql, first.caller, first.order)];
  // Locks on rupees are taken upwards; two batches that took them in two orders would wait in a circle.
  const inOrder = creations.map((creation, place) => ({ creation, place })).sort(byBusinessAndAmount);
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
    // One id that another create takes at this moment, or two batches in a circle: everything was rolled back.
    if (!isTaken(error) && (error as { code?: string }).code !== deadlock) throw error;
    return await Promise.all(creations.map(({ caller, order }) => insertAlone(sql, caller, order)));
  }
}

type Placed = { creation: Creation; place: number };

function byBusinessAndAmount({ creation: a }: Placed, { creation: b }: Placed): number {
  return a.caller.merchantId - b.caller.merchantId || a.order.amount_paise - b.order.amount_paise;
}

export async function insertAlone(
  sql: Queryable,
  caller: Caller,
  order: NewOrder,
): Promise<CreateAnswer | undefined> {
  try {
    const [row] = await withDeadline(insertOrders(sql, [{ caller, order }]));
    return row;
  } catch (error) {
    // The same merchant_order_id (R5) or, once in a blue moon, the same random order id: everything was rolled
    // back, the reserved amount included.
    if (isTaken(error)) return { outcome: 'lost_race' };
    throw error;
  }
}

import { later, minute, second } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { withDeadline } from '../../base/database/with-deadline.ts';
import type { World } from '../../base/world.ts';
import {
  deleteTaken,
  insertTaken,
  listTaken,
  selectDead,
  selectNames,
  selectTaken,
  type Taken,
  type TakenKind,
  upsertTaken,
} from './queries/taken.ts';

/**
 * Names that only one business may have, across several databases. The transaction that writes the row in the
 * business's cell first claims the name in cell 0. Our transactions are too short to last a minute, so a claim without
 * its row after ten minutes is free. Deleting a row therefore frees nothing at once; the next caller asks. With one
 * database, unique indexes do all of this.
 */

const rowComesWithin = 10 * minute;

/** Returns false if another business in any cell has the name. */
export async function takeName(
  tx: Queryable,
  { cells, cell, clock }: Pick<World, 'cells' | 'cell' | 'clock'>,
  kind: TakenKind,
  name: string,
  merchantId: number,
): Promise<boolean> {
  if (!cells) return true;
  const first = cell === 0 ? tx : cells.worlds[0]!.sql;
  const now = clock.now();
  const mine = { kind, name, merchant_id: merchantId, since: now };
  if (await upsertTaken(first, mine)) return true;
  const held = await selectTaken(first, kind, name);
  if (held && held.since > later(now, -rowComesWithin)) return false;
  if (held && (await selectDead(cells.of(held.merchant_id).sql, [held])).length === 0) return false;
  if (held) await deleteTaken(first, held);
  return await upsertTaken(first, mine);
}

/** The longest delay that a hanging cell may cause to anybody who signs in. */
const askedFor = 1 * second;

/**
 * Finds the cell of a mail address; all cells are asked at once. If one does not answer and no other knows the address,
 * the caller gets 503. An unknown address always maps to the same unpredictable cell, so timing cannot reveal who has
 * an account.
 */
export async function homeOf<W extends Pick<World, 'cells'>>(world: W, email: string): Promise<W> {
  if (!world.cells) return world;
  const { worlds, of } = world.cells;
  const asked = await Promise.allSettled(
    worlds.map(async one => {
      // A promise made from the query could not be cancelled, and each sign-in would leave a connection waiting.
      const query = one.sql<{ merchant_id: number }[]>`
        select merchant_id from users where lower(email) = lower(${email})`;
      const [user] = await withDeadline(query, askedFor);
      // A copy that an export left behind must not sign anybody in.
      return user !== undefined && of(user.merchant_id) === one;
    }),
  );
  const known = asked.findIndex(answer => answer.status === 'fulfilled' && answer.value);
  const unasked = asked.find(answer => answer.status === 'rejected');
  if (known < 0 && unasked) throw unasked.reason;
  const any = worlds[0]!.secrets.sign('cell of nobody', email.toLowerCase())[0]! % worlds.length;
  return worlds[known < 0 ? any : known] as Pick<World, 'cells'> as W;
}

/** Cell 0, which stores links to new businesses. */
export function firstOf<W extends Pick<World, 'cells'>>(world: W): W {
  return (world.cells?.worlds[0] as Pick<World, 'cells'> as W | undefined) ?? world;
}

/** Claims a cell's names in cell 0: for the first second cell, or after cell 0 was restored from a backup. */
export async function fillTaken(home: Pick<World, 'sql' | 'clock'>, cell: Pick<World, 'sql'>): Promise<void> {
  await insertTaken(home.sql, await selectNames(cell.sql), home.clock.now());
}

/** Deletes some claims whose rows are gone, and returns where to continue. */
export async function sweepTaken(
  { sql, cells, clock }: Pick<World, 'sql' | 'cells' | 'clock'>,
  after: Taken | null,
): Promise<Taken | null> {
  if (!cells) return null;
  const some = await listTaken(sql, after, later(clock.now(), -rowComesWithin));
  for (const [{ sql: theirs }, names] of Map.groupBy(some, one => cells.of(one.merchant_id)))
    for (const dead of await selectDead(theirs, names)) await deleteTaken(sql, dead);
  return some.at(-1) ?? null;
}

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
import { selectUserByEmail } from './queries/users.ts';

/**
 * Addresses that one business may have, where there are several databases: claimed in cell 0 by the transaction that
 * writes the row in the business's own cell, and before it commits. No transaction of ours can stand still for a minute:
 * a claim whose row is not there after ten is nobody's. So nothing has to be freed where a row goes, and whoever wants the
 * name asks. With one database its unique indexes do this, and none of it happens.
 */
type CellWorld = Pick<World, 'cells' | 'cell' | 'clock'>;

const rowComesWithin = 10 * minute;

/** False: it is another business's, wherever that lives. */
export async function takeName(
  tx: Queryable,
  { cells, cell, clock }: CellWorld,
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

/** A cell that hangs keeps everybody waiting who signs in, and nobody longer than this. */
const askedFor = 1 * second;

/**
 * The world in which somebody with this address lives: every cell is asked at once. Where one does not answer and no
 * other knows the address, nobody can say, and the caller is told to come again (503). An unknown address belongs to the
 * same cell each time, which nobody can foretell: how long an answer takes must not tell who has an account.
 */
export async function homeOf<W extends Pick<World, 'cells'>>(world: W, email: string): Promise<W> {
  const { cells } = world;
  if (!cells) return world;
  const { worlds, of } = cells;
  const asked = await Promise.allSettled(
    worlds.map(async one => {
      const user = await withDeadline(selectUserByEmail(one.sql, email), askedFor);
      // A copy that an export left behind signs nobody in.
      return user !== null && of(user.merchant_id) === one;
    }),
  );
  const known = asked.findIndex(answer => answer.status === 'fulfilled' && answer.value);
  const unasked = asked.find(answer => answer.status === 'rejected');
  if (known < 0 && unasked) throw unasked.reason;
  const any = worlds[0]!.secrets.sign('cell of nobody', email.toLowerCase())[0]! % worlds.length;
  return worlds[known < 0 ? any : known] as Pick<World, 'cells'> as W;
}

/** Where the installation itself is at home: links to new businesses are kept there. */
export function firstOf<W extends Pick<World, 'cells'>>(world: W): W {
  return (world.cells?.worlds[0] as Pick<World, 'cells'> as W | undefined) ?? world;
}

/** Claims in cell 0 the names that a cell's rows have: there was no second cell before, or cell 0 came from a backup. */
export async function fillTaken(home: Pick<World, 'sql' | 'clock'>, cell: Pick<World, 'sql'>): Promise<void> {
  await insertTaken(home.sql, await selectNames(cell.sql), home.clock.now());
}

/** Forgets names whose rows are gone, some at each call; answers where the next one goes on. */
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

import { later, minute } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import {
  deleteTaken,
  insertTakenHere,
  listTaken,
  selectDead,
  selectTaken,
  type Taken,
  type TakenKind,
  upsertTaken,
} from './queries/taken.ts';

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

/**
 * The world in which somebody with this address is to be looked for. An unknown one is looked for in any of them, in the
 * same one each time, that nobody can foretell: how long a cell takes to answer must not tell who has an account.
 */
export async function homeOf<W extends Pick<World, 'cells'>>(world: W, email: string): Promise<W> {
  const { cells } = world;
  if (!cells) return world;
  const { sql, secrets } = cells.worlds[0]!;
  const held = await selectTaken(sql, 'person', email);
  const any = secrets.sign('cell of nobody', email.toLowerCase())[0]! % cells.worlds.length;
  return (held ? cells.of(held.merchant_id) : cells.worlds[any]!) as Pick<World, 'cells'> as W;
}

/** Where the installation itself is at home: guesses are counted there, and links to new businesses kept. */
export function firstOf<W extends Pick<World, 'cells'>>(world: W): W {
  return (world.cells?.worlds[0] as Pick<World, 'cells'> as W | undefined) ?? world;
}

/** Claims what the rows of cell 0 have, once there is a second one. */
export async function fillTaken({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  await insertTakenHere(sql, clock.now());
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

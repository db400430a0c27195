import { day, later, minute, second, stopwatch } from '../../base/clock.ts';
import type { Cells } from '../../base/cells.ts';
import { isDatabaseAway } from '../../base/database/database-away.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { beginMove, holdStill, undoMove } from '../moving/hold-still.ts';
import { archiveOf } from '../moving/packed.ts';
import { holdMerchant, newestMigration, selectHere } from '../moving/queries.ts';
import { readBusiness } from '../moving/read-business.ts';
import { copyInstallation } from './copy-installation.ts';
import { countRows, place, removeHere, selectLeftOvers, selectPlace } from './queries.ts';

export type Move = { merchantId: number; to: number };
type Say = (line: string) => void;

const tellEvery = 2 * second;
/** So long a process with an old map finds a fence where a business was, and not a stranger. */
const fenceStands = 1 * day;

/**
 * Moves a business to another cell. At every moment it is open in one of them at most: it stands still in its own, is
 * copied, is placed in the other (which is the switch, one row in cell 0), and is opened there. Each step finds what an
 * earlier try has done, so whoever was killed begins anew. Returns for how many milliseconds nobody could order.
 */
export async function moveInside(cells: Cells, { merchantId, to }: Move, say: Say): Promise<number> {
  const home = cells.worlds[0]!;
  const target = cellOf(cells, to);
  const source = await whereItIs(cells, merchantId);
  if (source === target) return await openThere(target, merchantId, say);
  await refuseUnlike(source, target);
  await copyInstallation(home.sql, target.sql);
  await dropStale(source, target, merchantId, say);
  const { rows } = await countRows(source.sql, merchantId);
  await settledInHome(cells, source, merchantId);
  const { name } = await source.sql.begin(tx => beginMove(tx, merchantId, 'inside', source.clock.now()));
  const silent = stopwatch();
  say(`business ${merchantId} ("${name}") stands still in cell ${source.cell}: who asks is told to come again`);
  const since = await holdStill(source, merchantId, 'inside');
  // What was settled between the first look and the fence.
  await settledInHome(cells, source, merchantId);
  const copied = await selectHere(target.sql, merchantId);
  if (copied?.moved_at?.getTime() !== since.getTime())
    await copy(source, target, { merchantId, name, since }, rows, say);
  await source.sql.begin(async tx => {
    // Held: whoever takes it back comes before this, or finds it placed elsewhere.
    if ((await holdMerchant(tx, merchantId))?.moved_at?.getTime() !== since.getTime())
      throw new StartError('the move was taken back meanwhile: the business is open where it was');
    if (!(await place(home.sql, { merchantId, from: source.cell!, to, now: home.clock.now() })))
      throw new StartError('somebody else has moved it to a third cell meanwhile');
  });
  await target.sql.begin(tx => undoMove(tx, merchantId, target.clock.now()));
  return Math.max(silent(), 0);
}

import type { Cells } from '../../base/cells.ts';
import { day, later, second, stopwatch } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { claimSettled } from '../../payments/matching/claim-settled.ts';
import { beginMove, holdStill, undoMove } from '../moving/hold-still.ts';
import { archiveOf } from '../moving/packed.ts';
import { holdMerchant, selectHere, wasExported } from '../moving/queries.ts';
import { readBusiness } from '../moving/read-business.ts';
import { copyInstallation } from './copy-installation.ts';
import {
  copyBankKeys,
  countRows,
  place,
  placedSince,
  removeHere,
  selectHeld,
  selectPlace,
  selectPlaces,
} from './queries.ts';

type Move = { merchantId: number; to: number };
type Say = (line: string) => void;

const tellEvery = 2 * second;
/** So long a process with an old map finds a fence where a business was, and not that nobody is there. */
const fenceStands = 1 * day;

/**
 * Moves a business to another cell. At every moment it is open in one of them at most: it stands still in its own, is
 * copied, is placed in the other (the switch, one row in cell 0), and is opened there. Each step finds what an earlier
 * try has done, so whoever was killed begins anew. Returns for how many milliseconds it stood still.
 */
export async function moveInside(cells: Cells, { merchantId, to }: Move, say: Say): Promise<number> {
  const home = cells.worlds[0]!;
  const target = cellOf(cells, to);
  const source = await whereItIs(cells, merchantId);
  if (source === target) return await openThere(cells, target, merchantId);
  const { rows } = await lookBefore({ home, source, target }, merchantId, say);
  const begun = await source.sql.begin(tx => beginMove(tx, merchantId, 'inside', source.clock.now()));
  say(
    `business ${merchantId} ("${begun.name}") stands still in cell ${source.cell}: who asks is told to come again`,
  );
  const since = await holdStill(source, merchantId, 'inside');
  // Once more: what was settled between the first look and the fence.
  await claimSettled(cells, merchantId);
  const copied = await selectHere(target.sql, merchantId);
  if (copied?.moved_at?.getTime() !== since.getTime())
    await copy({ source, target }, { merchantId, name: begun.name, since }, rows, say);
  const placing = { merchantId, from: source.cell!, to, now: home.clock.now() };
  // Asked before the lock: who takes it back says another word while holding it, so not even one who was stopped so long
  // that the lock is lost places what is open.
  const word = await placedSince(home.sql, placing);
  await source.sql.begin(async tx => {
    if ((await holdMerchant(tx, merchantId))?.moved_at?.getTime() !== since.getTime())
      throw new StartError('the move was taken back meanwhile: the business is open where it was');
    await refuseExported(tx, merchantId);
    if (word === null || !(await place(home.sql, placing, word)))
      throw new StartError('somebody else has moved it or taken it back meanwhile');
  });
  await openAt(cells, target, merchantId);
  return target.clock.now().getTime() - since.getTime();
}

export function cellOf({ worlds }: Cells, number: number): World {
  const world = worlds[number];
  if (!world) throw new StartError(`there is no cell ${number}: they are 0 to ${worlds.length - 1}`);
  return world;
}

/** Asked of cell 0, whatever this process read at its start. */
async function whereItIs(cells: Cells, merchantId: number): Promise<World> {
  const placed = await selectPlace(cells.worlds[0]!.sql, merchantId);
  return placed === undefined ? cells.of(merchantId) : cellOf(cells, placed);
}

/** Whoever was killed behind the switch has left it closed. One that was never moved stands still for another reason. */
async function openThere(cells: Cells, target: World, merchantId: number): Promise<number> {
  const held = (await selectHeld(target.sql)).find(one => one.merchant_id === merchantId);
  if (!held || (await selectPlace(cells.worlds[0]!.sql, merchantId)) !== target.cell)
    throw new StartError(`business ${merchantId} is in cell ${target.cell} already`);
  await openAt(cells, target, merchantId);
  return target.clock.now().getTime() - held.moved_at.getTime();
}

/** Where it is placed alone, and no move that began before places it elsewhere. False when it is open. */
async function openAt({ worlds }: Cells, { sql, cell, clock }: World, merchantId: number): Promise<boolean> {
  const home = worlds[0]!;
  return await sql.begin(async tx => {
    if (!(await holdMerchant(tx, merchantId))?.moved_at) return false;
    await refuseExported(tx, merchantId);
    if (!(await place(home.sql, { merchantId, from: cell!, to: cell!, now: home.clock.now() })))
      throw new StartError(`business ${merchantId} was moved meanwhile: move it back like any other`);
    return await undoMove(tx, merchantId, clock.now());
  });
}

/** It would be open twice. */
async function refuseExported(sql: Queryable, merchantId: number): Promise<void> {
  if (await wasExported(sql, merchantId))
    throw new StartError(
      `a file of business ${merchantId} was written, which may be open elsewhere: only export-business --undo opens it here`,
    );
}

type Ends = { home: World; source: World; target: World };

/** All that takes long or can be refused, while the shop is still open. */
async function lookBefore({ home, source, target }: Ends, merchantId: number, say: Say) {
  if (!(await selectHere(source.sql, merchantId))) throw new StartError(`there is no business ${merchantId}`);
  await refuseExported(source.sql, merchantId);
  await copyInstallation(home.sql, target.sql, target.clock.now());
  await target.banks.look(target);
  const there = await selectHere(target.sql, merchantId);
  // Behind it: what somebody else has copied just now stands still here since the same moment.
  const here = await selectHere(source.sql, merchantId);
  if (there && !there.moved_at)
    throw new StartError(
      `business ${merchantId} is open in cell ${target.cell} too, where nobody looks for it: nothing was done; milaan verify tells more`,
    );
  if (there && there.moved_at?.getTime() !== here?.moved_at?.getTime()) {
    say(`removing what an earlier move left in cell ${target.cell}`);
    await removeHere(target, merchantId, there.moved_at);
  }
  await claimSettled(home.cells!, merchantId);
  return await countRows(source.sql, merchantId);
}

async function copy(
  { source, target }: Pick<Ends, 'source' | 'target'>,
  what: { merchantId: number; name: string; since: Date },
  expected: number,
  say: Say,
): Promise<void> {
  let [rows, bytes, told] = [0, 0, 0];
  const lasted = stopwatch();
  const tell = () => {
    told = lasted();
    say(`  ${rows} of about ${expected} rows, ${inMegabytes(bytes)}, ${(told / second).toFixed(1)} s`);
  };
  const archive = await archiveOf(source, { ...what, kind: 'inside' }, (more, length) => {
    rows += more;
    bytes += length;
    if (lasted() - told > tellEvery) tell();
  });
  try {
    await copyBankKeys(source.sql, target.sql);
    await readBusiness(target, archive, { isHeld: true });
  } finally {
    archive.destroy();
  }
  tell();
}

/** Opens it again where it was. Only before the switch. */
export async function takeBack(cells: Cells, { merchantId, to }: Move): Promise<void> {
  const source = await whereItIs(cells, merchantId);
  if (source.cell === to)
    throw new StartError(`business ${merchantId} is in cell ${to} already: move it back like any other`);
  if (!(await openAt(cells, source, merchantId)))
    throw new StartError(`business ${merchantId} is open in cell ${source.cell}: nothing to take back`);
}

/** Copies that stand in a cell while their business lives in another. */
export async function findLeftOvers(cells: Cells, world: World) {
  const places = await selectPlaces(cells.worlds[0]!.sql);
  const held = await selectHeld(world.sql);
  return held.filter(
    ({ merchant_id }) => (places.get(merchant_id) ?? cells.of(merchant_id).cell) !== world.cell,
  );
}

/** Removes those that are a day old. */
export async function tidy(cells: Cells, world: World): Promise<number[]> {
  const old = (await findLeftOvers(cells, world)).filter(
    ({ moved_at }) => later(moved_at, fenceStands) < world.clock.now(),
  );
  const removed: number[] = [];
  for (const { merchant_id, moved_at } of old) {
    // Never the last one: where it lives it is open.
    const alive = await selectHere((await whereItIs(cells, merchant_id)).sql, merchant_id);
    if (alive && !alive.moved_at && (await removeHere(world, merchant_id, moved_at)))
      removed.push(merchant_id);
  }
  return removed;
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

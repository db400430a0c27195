import { randomInt } from 'node:crypto';
import type { Cells } from '../../src/base/world.ts';
import { openTestWorld, type TestWorld } from './test-world.ts';

const cut = 2 ** 47;

export type TwoCells = Omit<Cells, 'worlds'> & {
  readonly worlds: readonly [TestWorld, TestWorld];
  /** An id of this cell. */
  idIn(cell: number): number;
  stop(): Promise<void>;
};

/** Two databases behind one address, which the ids of businesses divide. New ones belong to the second. */
export async function openTwoCells(env: Record<string, string> = {}): Promise<TwoCells> {
  const [first, second] = await Promise.all([openTestWorld(env), openTestWorld(env)]);
  const { clock, dns, secrets } = first;
  const idIn = (cell: number) => cell * cut + randomInt(1, 2 ** 46);
  const worlds = [first, { ...second, clock, dns, secrets }] as [TestWorld, TestWorld];
  const cells: TwoCells = {
    worlds,
    unlisted: [],
    of: merchantId => worlds[merchantId < cut ? 0 : 1]!,
    newId: (cell = 1) => idIn(cell),
    awaited: () => null,
    idIn,
    stop: async () => void (await Promise.all(worlds.map(world => world.stop()))),
  };
  for (const [cell, world] of worlds.entries()) Object.assign(world, { cells, cell });
  return cells;
}

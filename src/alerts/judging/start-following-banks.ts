import { second } from '../../base/clock.ts';
import { keepWorking, type Worker } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { bankChannel } from './bank-book.ts';
/** Every process that reads mail or names banks runs this. */
export function startFollowingBanks(world: Pick<World, 'sql' | 'log' | 'banks'>): Worker {
  const rhythm = { what: 'looking for saved bank entries', pause: lookEvery, channel: bankChannel };
  return keepWorking(world, rhythm, () => world.banks.look(world));
}

/** Where no NOTIFY comes through, a saved entry is found by looking, this often. */
const lookEvery = 5 * second;

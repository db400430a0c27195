import { minute, second, stopwatch } from '../clock.ts';
import { keepWorking } from '../database/keep-working.ts';
import type { World } from '../world.ts';
import { removeBusinesses } from './remove-businesses.ts';
import { sweepAccounts } from './sweep-accounts.ts';

const pause = 10 * minute;
/** A turn at removing ends after so long, so that the process can be stopped; the next one goes on at once. */
const turnLimit = 4 * second;

/** The background of the accounts: the end of businesses that left, and of what has long been over. */
export function startAccountWork(world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log' | 'config'>): {
  stop(): Promise<void>;
} {
  return keepWorking(world, { what: 'removing businesses', pause }, async () => {
    const elapsed = stopwatch();
    const { isDone } = await removeBusinesses(world, () => elapsed() > turnLimit);
    await sweepAccounts(world);
    return isDone ? pause : 0;
  });
}

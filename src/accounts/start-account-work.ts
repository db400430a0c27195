import { minute } from '../clock.ts';
import { keepWorking } from '../database/keep-working.ts';
import type { World } from '../world.ts';
import { removeBusinesses } from './remove-businesses.ts';
import { sweepAccounts } from './sweep-accounts.ts';

const pause = 10 * minute;

/** The background of the accounts: the end of businesses that left, and of what has long been over. */
export function startAccountWork(world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log' | 'config'>): {
  stop(): Promise<void>;
} {
  return keepWorking(world, { what: 'removing businesses', pause }, async () => {
    await removeBusinesses(world);
    await sweepAccounts(world);
  });
}

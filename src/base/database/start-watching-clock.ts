import { second } from '../clock.ts';
import type { World } from '../world.ts';
import { compareClocks } from './compare-clocks.ts';
import { keepWorking } from './keep-working.ts';

const compareEvery = 10 * second;

/**
 * Measures how far this machine's clock is from the database's. Two machines that disagree give their orders windows
 * that do not fit the bank's time. A clock minutes ahead gives an amount to a new order while the bank's time still
 * lies in the window of the one before, which the money would then pay: so `createOrder` asks what was found here.
 */
export function startWatchingClock(world: Pick<World, 'sql' | 'log' | 'metrics' | 'clock'>): {
  stop(): Promise<void>;
} {
  const { clock, metrics } = world;
  const skew = metrics.gauge('milaan_clock_skew_seconds', "This machine's clock minus the database's.");
  const jump = metrics.gauge(
    'milaan_clock_jump_seconds',
    'By how much the clocks of this machine and of the database were set together, while that is not believed.',
  );
  const rhythm = { what: "comparing the clock with the database's", pause: compareEvery };
  return keepWorking(world, rhythm, async () => {
    await compareClocks(world.sql, world);
    skew.set((clock.skew ?? 0) / 1000);
    jump.set((clock.jump ?? 0) / 1000);
  });
}

import { minute, mostClockSkew, systemClock } from '../clock.ts';
import { repeat } from '../repeat.ts';
import type { World } from '../world.ts';

/**
 * Measures how far this machine's clock is from the database's. Two machines that disagree give their orders windows
 * that do not fit the bank's time. A clock minutes ahead gives an amount to a new order while the bank's time still
 * lies in the window of the one before, which the money would then pay: so `createOrder` asks what was found here.
 */
export function startWatchingClock({
  sql,
  log,
  metrics,
  clock,
}: Pick<World, 'sql' | 'log' | 'metrics' | 'clock'>): {
  stop(): Promise<void>;
} {
  const skew = metrics.gauge('milaan_clock_skew_seconds', "This machine's clock minus the database's.");
  return repeat(log, "comparing the clock with the database's", 1 * minute, async () => {
    const before = systemClock.now().getTime();
    const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
    const middle = (before + systemClock.now().getTime()) / 2;
    if (!row) return;
    clock.skew = middle - row.now.getTime();
    skew.set(clock.skew / 1000);
    if (Math.abs(clock.skew) > mostClockSkew)
      log.error({ skew: clock.skew }, 'set the clock: no order is created');
  });
}

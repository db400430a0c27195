import { minute, systemClock } from '../clock.ts';
import { repeat } from '../repeat.ts';
import type { World } from '../world.ts';

/**
 * Measures how far this machine's clock is from the database's. Two machines that disagree give their orders windows
 * that do not fit the bank's time: no order is paid wrongly for it, but one may be missed.
 */
export function startWatchingClock({ sql, log, metrics }: Pick<World, 'sql' | 'log' | 'metrics'>): {
  stop(): Promise<void>;
} {
  const skew = metrics.gauge('milaan_clock_skew_seconds', "This machine's clock minus the database's.");
  return repeat(log, "comparing the clock with the database's", 1 * minute, async () => {
    const before = systemClock.now().getTime();
    const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
    const middle = (before + systemClock.now().getTime()) / 2;
    if (row) skew.set((middle - row.now.getTime()) / 1000);
  });
}

import { later, mostClockSkew, second, stopwatch, systemClock } from '../clock.ts';
import { repeat } from '../repeat.ts';
import type { World } from '../world.ts';

const compareEvery = 10 * second;
/** Two clocks this near to each other agree. */
const tolerance = 0.25 * second;

/**
 * Measures how far this machine's clock is from the database's. Two machines that disagree give their orders windows
 * that do not fit the bank's time. A clock minutes ahead gives an amount to a new order while the bank's time still
 * lies in the window of the one before, which the money would then pay: so `createOrder` asks what was found here.
 *
 * Our own clock is put right only while the two agree: then it is the one that stood still, because the machine slept.
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
  return repeat(log, "comparing the clock with the database's", compareEvery, async () => {
    const asked = stopwatch();
    const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
    if (!row) return;
    // The answer is from some moment of the round trip.
    const doubt = asked() / 2;
    const database = later(row.now, doubt);
    clock.skew = difference(systemClock.now(), database);
    skew.set(clock.skew / 1000);
    if (Math.abs(clock.skew) > mostClockSkew)
      return log.error({ skew: clock.skew }, 'set the clock: no order is created');
    const off = difference(clock.outside?.() ?? clock.now(), database);
    if (!clock.correct || Math.abs(off) <= doubt + tolerance) return;
    log.warn({ off }, 'our clock was put right');
    clock.correct(database);
  });
}

function difference(one: Date, other: Date): number {
  return one.getTime() - other.getTime();
}

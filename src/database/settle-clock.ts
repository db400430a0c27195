import { later, mostClockSkew, second, stopwatch, systemClock } from '../clock.ts';
import type { World } from '../world.ts';
import type { Queryable } from './connect.ts';

/** Two clocks this near to each other agree. */
const tolerance = 0.25 * second;

/**
 * Asks the database for the time. Our own clock is put right only while the machine's agrees with the database's: then
 * it is ours that stood still, because the machine slept.
 */
export async function settleClock(
  sql: Queryable,
  { log, clock }: Pick<World, 'log' | 'clock'>,
): Promise<void> {
  const asked = stopwatch();
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) return;
  // The answer is from some moment of the round trip.
  const doubt = asked() / 2;
  const database = later(row.now, doubt);
  clock.skew = difference(systemClock.now(), database);
  if (Math.abs(clock.skew) > mostClockSkew) {
    log.error({ skew: clock.skew }, 'set the clock: no order is created');
  } else {
    const off = difference(clock.outside?.() ?? clock.now(), database);
    if (clock.correct && Math.abs(off) > doubt + tolerance) {
      log.warn({ off }, 'our clock was put right');
      clock.correct(database);
    }
  }
  clock.settled?.();
}

function difference(one: Date, other: Date): number {
  return one.getTime() - other.getTime();
}

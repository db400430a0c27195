import { later, mostClockSkew, second, stopwatch, systemClock } from '../clock.ts';
import type { World } from '../world.ts';
import type { Queryable } from './connect.ts';

/** Less than this is how exact the question itself is. */
const worthTelling = 0.25 * second;

/** Asks the database for the time, and tells our own clock. */
export async function compareClocks(
  sql: Queryable,
  { log, clock }: Pick<World, 'log' | 'clock'>,
): Promise<void> {
  const asked = stopwatch();
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) return;
  // The answer is from some moment of the round trip.
  const doubt = asked() / 2;
  const database = later(row.now, doubt);
  const skew = systemClock.now().getTime() - database.getTime();
  const before = clock.now();
  const { jump, unsettled } = clock.compare?.(database, doubt) ?? {
    jump: 0,
    unsettled: Math.abs(skew) > mostClockSkew,
  };
  const moved = clock.now().getTime() - before.getTime();
  if (Math.abs(moved) > worthTelling) log.warn({ moved }, 'our clock was put right');
  Object.assign(clock, { skew, jump, unsettled });
  if (unsettled)
    log.error({ skew, jump }, 'a clock is wrong, or was set: no order is created until that is settled');
}

import { later, mostClockSkew, second, stopwatch, systemClock } from '../clock.ts';
import type { World } from '../world.ts';
import type { Queryable } from './connect.ts';
import { keepWorking } from './keep-working.ts';

/** The measurement itself is no more exact than this. */
const worthLogging = 0.25 * second;

export async function compareClocks(
  sql: Queryable,
  { log, clock }: Pick<World, 'log' | 'clock'>,
): Promise<void> {
  const asked = stopwatch();
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) return;
  // The database read its clock at an unknown moment of the round trip.
  const doubt = asked() / 2;
  const database = later(row.now, doubt);
  const skew = systemClock.now().getTime() - database.getTime();
  const before = clock.now();
  const { jump, unsettled } = clock.compare?.(database, doubt) ?? {
    jump: 0,
    unsettled: Math.abs(skew) > mostClockSkew,
  };
  const moved = clock.now().getTime() - before.getTime();
  if (Math.abs(moved) > worthLogging) log.warn({ moved }, 'our clock was corrected');
  Object.assign(clock, { skew, jump, unsettled });
  if (unsettled)
    log.error({ skew, jump }, 'a clock is wrong, or was set: no order is created until that is settled');
}

const compareEvery = 10 * second;

/**
 * Measures this machine's clock against the database's. If two machines disagree, their orders' time windows do not fit
 * the bank's time. A clock that is minutes ahead would give an amount to a new order too early. In the bank's time, a
 * payment would still belong to the previous order's window. So `createOrder` checks this result.
 */
export function startWatchingClock(world: Pick<World, 'sql' | 'log' | 'metrics' | 'clock'>): {
  stop(): Promise<void>;
} {
  const { clock, metrics } = world;
  const skew = metrics.gauge('milaan_clock_skew_seconds', "This machine's clock minus the database's.");
  const jump = metrics.gauge(
    'milaan_clock_jump_seconds',
    'By how much the clocks of machine and database were changed together, until we accept the change.',
  );
  const rhythm = { what: "comparing the clock with the database's", pause: compareEvery };
  return keepWorking(world, rhythm, async () => {
    await compareClocks(world.sql, world);
    skew.set((clock.skew ?? 0) / 1000);
    jump.set((clock.jump ?? 0) / 1000);
  });
}

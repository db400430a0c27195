import { minute, second, systemClock } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { type Routine, selectBeginning, selectRoutines, selectStandbys } from '../queries.ts';

const pause = 1 * minute;
const routines: Routine[] = ['backup', 'verify'];

/** Part of the `deliver` role: measures each routine's last success or failure, and the standby's lag. */
export function startMeasuring(world: Pick<World, 'sql' | 'log' | 'metrics'>): { stop(): Promise<void> } {
  const { sql, metrics } = world;
  const age = metrics.gauge(
    'milaan_routine_age_seconds',
    'Since a routine (backup, verify) last succeeded; since the database was made, when it never did.',
    ['routine'],
  );
  const failed = metrics.gauge(
    'milaan_routine_failed',
    '1 when a routine failed the last time it ran, else 0.',
    ['routine'],
  );
  const standbys = metrics.gauge('milaan_standbys', 'Standbys that follow this database.');
  const lag = metrics.gauge(
    'milaan_standby_lag_seconds',
    'How far the slowest standby is behind; missing where none follows, or the role may not see it (pg_monitor).',
  );
  return keepWorking(world, { what: 'measuring routines', pause }, async () => {
    const behind = await selectStandbys(sql);
    standbys.set(behind.standbys);
    if (behind.lag_seconds === null) lag.remove();
    else lag.set(behind.lag_seconds);
    const rows = await selectRoutines(sql);
    const beginning = await selectBeginning(sql);
    const now = systemClock.now().getTime();
    for (const routine of routines) {
      const row = rows.find(one => one.routine === routine);
      age.set({ routine }, (now - (row?.succeeded_at ?? beginning).getTime()) / second);
      failed.set({ routine }, row && !row.succeeded ? 1 : 0);
    }
  });
}

import { later } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import { because } from '../../texts/verdicts.ts';
import { updateWindows } from './queries/windows.ts';
import { hiddenFor } from './step.ts';

const inOneStep = 500;

/**
 * Looks which businesses' windows have moved since the last look, whoever moved them, and tells owners whose orders are
 * hidden sooner now. Nothing is deleted by a window that has not been looked at for as long as `hiddenFor`.
 */
export async function noteWindows({
  sql,
  clock,
  baseUrl,
}: Pick<World, 'sql' | 'clock' | 'baseUrl'>): Promise<void> {
  const now = clock.now();
  for (let changed = inOneStep; changed === inOneStep; ) {
    changed = await sql.begin(async tx => {
      const rows = await updateWindows(tx, { now, restedSince: later(now, -hiddenFor), limit: inOneStep });
      for (const { merchant_id: merchantId, before, days, shrank } of rows) {
        if (!shrank || days === null) continue;
        await notifyOwner(tx, {
          merchantId,
          kind: 'history_shorter',
          facts: {
            days,
            before: before === null ? because('history_endless') : because('history_days', { days: before }),
            from: later(now, hiddenFor),
            link: `${baseUrl}/dashboard/orders`,
          },
          dedupeKey: `history ${days} ${now.toISOString()}`,
          now,
        });
      }
      return rows.length;
    });
  }
}

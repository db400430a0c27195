import { later } from '../clock.ts';
import type { World } from '../world.ts';
import { record } from './audit.ts';
import { deletionWindow } from './delete-business.ts';
import { removeBusiness, selectDueToLeave } from './queries/businesses.ts';
import { installation } from './record-deed.ts';

/** The end of every business whose seven days are over: each in one transaction, so that none is half gone. */
export async function removeBusinesses({
  sql,
  clock,
  log,
}: Pick<World, 'sql' | 'clock' | 'log'>): Promise<number> {
  const now = clock.now();
  const askedBefore = later(now, -deletionWindow);
  let removed = 0;
  for (const merchantId of await selectDueToLeave(sql, askedBefore)) {
    const name = await sql.begin(async tx => {
      const was = await removeBusiness(tx, merchantId, askedBefore);
      if (was !== null) {
        await record(tx, {
          merchantId: installation,
          at: now,
          actor: 'milaan',
          action: 'business.removed',
          subject: String(merchantId),
        });
      }
      return was;
    });
    if (name === null) continue;
    removed++;
    log.info({ merchant: merchantId }, 'a business was removed at the end of its deletion window');
  }
  return removed;
}

import { second } from '../../base/clock.ts';
import { newLease } from '../../base/database/row-lease.ts';
import { type JudgeTools, type JudgeWorld, judgeAlert } from './judge-alert.ts';
import { claimAlerts } from './queries/claims.ts';

/** A judge not heard of for this long is dead, and its mails are free again. Renewed while it lives. */
export const leaseFor = 8 * second;

/** Judges everything that is due, and returns how many alerts that were. */
export async function judgeStoredMails(world: JudgeWorld, tools: JudgeTools): Promise<number> {
  for (let judged = 0; ; ) {
    const lease = newLease(world.clock.now(), leaseFor);
    const alerts = await claimAlerts(world.sql, lease, { most: 16, busy: [] });
    if (alerts.length === 0) return judged;
    await Promise.all(alerts.map(alert => judgeAlert(world, tools, alert)));
    judged += alerts.length;
  }
}

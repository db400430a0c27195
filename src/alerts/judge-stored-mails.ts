import { later, second } from '../clock.ts';
import { randomBase62 } from '../random.ts';
import { type JudgeTools, type JudgeWorld, judgeAlert } from './judge-alert.ts';
import { claimAlerts } from './queries/claims.ts';

/** A judge not heard of for this long is dead, and his mails are free again. Renewed while he lives. */
export const claimTime = 8 * second;

/** Judges everything that is due, and answers how many alerts that were. */
export async function judgeStoredMails(world: JudgeWorld, tools: JudgeTools): Promise<number> {
  for (let judged = 0; ; ) {
    const claim = randomBase62(16);
    const now = world.clock.now();
    const alerts = await claimAlerts(world.sql, {
      claim,
      now,
      until: later(now, claimTime),
      most: 16,
      busy: [],
    });
    if (alerts.length === 0) return judged;
    await Promise.all(alerts.map(alert => judgeAlert(world, tools, alert, claim)));
    judged += alerts.length;
  }
}

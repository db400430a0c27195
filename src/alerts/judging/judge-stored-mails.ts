import { minute, second } from '../../base/clock.ts';
import { newLease } from '../../base/database/row-lease.ts';
import { type JudgeTools, type JudgeWorld, judgeAlert } from './judge-alert.ts';
import { claimAlerts } from './queries/claims.ts';
import {
  type Chosen,
  claimAgain,
  countChosen,
  selectVerdicts,
  type VerdictCount,
} from './queries/judge-again.ts';

/** A living judge renews its claims. After this long it counts as dead, and its mails are free again. */
export const leaseFor = 8 * second;

/** Judges everything that is due, and returns the number of alerts. */
export async function judgeStoredMails(world: JudgeWorld, tools: JudgeTools): Promise<number> {
  for (let judged = 0; ; ) {
    const lease = newLease(world.clock.now(), leaseFor);
    const alerts = await claimAlerts(world.sql, lease, { most: 16, busy: [] });
    if (alerts.length === 0) return judged;
    await Promise.all(alerts.map(alert => judgeAlert(world, tools, alert)));
    judged += alerts.length;
  }
}

/** Long enough for slow DNS with sixteen mails. If this process dies, a running judge takes over after that. */
const leaseForMany = 1 * minute;
const atOnce = 16;

export type JudgedAgain = {
  /** How often one verdict became another: `forged → paid`. */
  changes: { before: string; after: string; count: number }[];
  /** Unchanged: a verdict from matching is final (R2), and a mail without bytes cannot be read. */
  final: VerdictCount[];
  withoutBytes: number;
};

/**
 * Judges stored mails again with today's bank files, addresses and keys. Each is processed like a new mail: its own
 * time chooses the order, and a credit that was counted still counts once.
 */
export async function judgeAgain(world: JudgeWorld, tools: JudgeTools, chosen: Chosen): Promise<JudgedAgain> {
  const { final, withoutBytes } = await countChosen(world.sql, chosen);
  const changes = new Map<string, { before: string; after: string; count: number }>();
  let position: { merchant_id: number; alert_id: string } | null = null;
  for (;;) {
    const lease = newLease(world.clock.now(), leaseForMany);
    const alerts = await claimAgain(world.sql, chosen, lease, { after: position, most: atOnce });
    if (alerts.length === 0) break;
    await Promise.all(alerts.map(({ before: _, ...alert }) => judgeAlert(world, tools, alert)));
    const verdicts = await selectVerdicts(world.sql, alerts);
    for (const { merchant_id, alert_id, before } of alerts) {
      const after = verdicts.find(
        one => one.merchant_id === merchant_id && one.alert_id === alert_id,
      )!.verdict;
      const key = `${before} ${after}`;
      changes.set(key, { before, after, count: (changes.get(key)?.count ?? 0) + 1 });
    }
    position = alerts.at(-1)!;
  }
  return { changes: [...changes.values()], final, withoutBytes };
}

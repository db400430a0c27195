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

/** Long enough for DNS that is slow for sixteen mails; should this process die, a running judge takes over then. */
const leaseForMany = 1 * minute;
const atOnce = 16;

export type JudgedAgain = {
  /** How often a verdict became which: `forged → paid`. */
  changes: { before: string; after: string; count: number }[];
  /** Left as they are: what matching has decided is decided for ever (R2), and what has no bytes cannot be read. */
  final: VerdictCount[];
  withoutBytes: number;
};

/**
 * Judges stored mails once more, with today's bank files, addresses and keys. Each goes the way of a new mail: its own
 * time chooses the order, and what was counted still counts once.
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

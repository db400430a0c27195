import { minute } from '../../base/clock.ts';
import { newLease } from '../../base/database/row-lease.ts';
import { type JudgeTools, type JudgeWorld, judgeAlert } from './judge-alert.ts';
import {
  type Chosen,
  claimAgain,
  countChosen,
  selectVerdicts,
  type VerdictCount,
} from './queries/judge-again.ts';

/** Long enough for DNS that is slow for sixteen mails; should this process die, a running judge takes over then. */
const leaseFor = 1 * minute;
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
    const lease = newLease(world.clock.now(), leaseFor);
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

import type { DrillOptions, DrillResult } from './drill.ts';
import { tableOf } from './scene-row.ts';

/** The result in lines for a person and for the reliability page. */
export function summaryOf({ seed, plan }: DrillOptions, result: DrillResult): string[] {
  const { faults, checkout, bank, shop, violations } = result;
  const times = [...shop.notified.values()].reduce((sum, { times }) => sum + times, 0);
  const strays = [...bank.sent].filter(([what]) => what !== 'genuine payment');
  const { startTimes, refusedStarts } = result.processes;
  const sorted = [...startTimes].sort((a, b) => a - b);
  const seconds = (part: number) => ((sorted[Math.ceil(sorted.length * part) - 1] ?? 0) / 1000).toFixed(1);
  return [
    `seed ${seed}, plan ${plan}, ${(result.seconds / 60).toFixed(1)} minutes with settling`,
    `faults: ${faults.log.length} (${list(faults.byKind)})`,
    `creates: ${checkout.created} answered 201, ${checkout.replays} replays, ${checkout.lookedAt} reads; refused or unanswered: ${list(checkout.refused) || 'none'}`,
    `payments at the bank: ${bank.paid.size} orders paid in time; other mails: ${list(new Map(strays)) || 'none'}`,
    `webhooks: ${shop.notified.size} orders told, ${times - shop.notified.size} told again, ${shop.requests} requests, ${shop.unverified.length} refused by the shop's check`,
    `processes: ${startTimes.length} starts, half of them ready within ${seconds(0.5)} s, the slowest after ${seconds(1)} s; ${refusedStarts} starts refused in words`,
    ...(result.rows.length > 0 ? tableOf(result.rows) : []),
    `violations: ${violations.length}`,
    ...violations.map(violation => `  ${violation}`),
    ...(violations.length > 0
      ? [`logs: ${result.logs}`]
      : ['every genuine payment paid once, every webhook delivered at least once']),
  ];
}

function list(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([what, count]) => `${what} ${count}`).join(', ');
}

import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { countForwardings } from '../../alerts/forwarding/queries/probes.ts';
import { countWaiting } from '../../alerts/judging/queries/claims.ts';
import { countOpenLines } from '../../alerts/judging/queries/held-lines.ts';
import { countWithdrawn } from '../../alerts/judging/queries/keys.ts';
import { selectQuietBanks } from '../../alerts/judging/queries/quiet-banks.ts';
import { remembered } from '../../alerts/judging/remembered-keys.ts';
import { blindAfter } from '../../alerts/mailboxes/mailbox-state.ts';
import { countStates } from '../../alerts/mailboxes/queries/states.ts';
import { hour, later, minute, second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { type AlarmFacts, alarms, type ShownAlarm } from '../../operator/alarms.ts';
import { fromAll } from '../../operator/cells/in-each-cell.ts';
import {
  countedIn,
  type Routine,
  selectBeginning,
  selectCounts,
  selectProcesses,
  selectRoutines,
  selectStandbys,
} from '../../operator/queries.ts';
import type { ReportedMetric } from '../../operator/running/reported-metrics.ts';
import { selectQueueDepth } from '../../outbox/webhooks/queries/deliveries.ts';
import { selectRefusedToday } from './queries/banks.ts';

/** A time is in seconds. */
type Facts = {
  count?: number;
  time?: number;
  process?: string;
  bank?: string;
  routine?: string;
  cell?: string;
};
export type Alarm = { name: ShownAlarm; facts: Facts };

/** Four times the pause between two reports of a process. */
export const downAfter = 1 * minute;
/** The same percentile as in the Prometheus alarm: the 95th. */
const mostLate = 0.05;

/** Every present alarm of all cells, the most urgent first. */
export async function alarmsOfAll(world: World, now: Date): Promise<Alarm[]> {
  const wakes = ({ name }: Alarm) => Number(alarms[name].rule.severity === 'page');
  return (await fromAll(world, one => findAlarms(one, now))).sort((a, b) => wakes(b) - wakes(a));
}

export async function findAlarms({ sql, cell }: Pick<World, 'sql' | 'cell'>, now: Date): Promise<Alarm[]> {
  const [
    mailboxes,
    alerts,
    deliveries,
    { silent },
    lines,
    withdrawn,
    quiet,
    refused,
    routines,
    beginning,
    { lag_seconds },
    counts,
    processes,
  ] = await Promise.all([
    countStates(sql, later(now, -blindAfter)),
    countWaiting(sql, now),
    selectQueueDepth(sql, now),
    countForwardings(sql, later(now, -silentAfter)),
    countOpenLines(sql),
    countWithdrawn(sql, later(now, -remembered)),
    selectQuietBanks(sql, now),
    selectRefusedToday(sql, now),
    selectRoutines(sql),
    selectBeginning(sql),
    selectStandbys(sql),
    selectCounts(sql, later(now, -hour)),
    selectProcesses(sql),
  ]);
  const since = (moment: Date | null) => (now.getTime() - (moment ?? now).getTime()) / second;
  const ageOf = (routine: Routine) =>
    since(routines.find(row => row.routine === routine)?.succeeded_at ?? beginning);
  const inLast = (span: number, figure: ReportedMetric) =>
    counts
      .filter(one => one.figure === figure && one.at > later(now, -span - countedIn))
      .reduce((sum, { count }) => sum + count, 0);
  const failed = (count: ReportedMetric, sent: ReportedMetric) =>
    inLast(30 * minute, sent) === 0 ? [{ count: inLast(30 * minute, count) }] : [];
  const stored = inLast(15 * minute, 'alerts_stored');
  const storedLate = stored - inLast(15 * minute, 'alerts_in_time');
  const silentOnes = processes.filter(({ silent_for }) => silent_for > downAfter);
  const answering = processes.filter(({ silent_for }) => silent_for <= downAfter);
  const refusedAs = (verdict: 'unreadable' | 'forged') =>
    refused.map(({ bank, [verdict]: count }) => ({ bank, count }));
  const found: { [Name in ShownAlarm]: readonly AlarmFacts<Name>[] } = {
    MilaanDown: silentOnes.map(({ process }) => ({ process })),
    MilaanClockWrong: answering.map(({ process, skew_seconds: skew }) => ({ process, time: Math.abs(skew) })),
    MilaanSlow: answering.map(({ process, lag_seconds: time }) => ({ process, time })),
    MilaanClockSet: [{ time: Math.max(0, ...processes.map(one => Math.abs(one.jump_seconds))) }],
    MilaanRoutineFailed: routines.filter(one => !one.succeeded).map(({ routine }) => ({ routine })),
    MilaanMailboxesBlind: [{ count: mailboxes.blind }],
    MilaanAlertsWaiting: [{ time: since(alerts.oldest) }],
    MilaanAlertsRetrying: inLast(15 * minute, 'dns_failures') > 0 ? [{ count: alerts.retrying }] : [],
    MilaanWebhooksLate: [{ time: since(deliveries.oldest) }],
    MilaanForwardingsSilent: [{ count: silent }],
    MilaanLoginRefused: [{ count: mailboxes.need_login }],
    MilaanWebhooksNotSigned: [{ count: inLast(15 * minute, 'not_signed') }],
    MilaanMailLate: storedLate > mostLate * stored ? [{}] : [],
    MilaanMailUnfetchable: [{ count: inLast(hour, 'unfetchable') }],
    MilaanKeysDoubted: [{ count: inLast(hour, 'keys_doubted') }],
    MilaanKeyChanged: [{ count: inLast(hour, 'key_changes') }],
    MilaanUnlistedDomain: [{ count: inLast(hour, 'unlisted_domains') }],
    MilaanMailOut: failed('mails_failed', 'mails_sent'),
    MilaanPushesFail: failed('pushes_failed', 'pushes_sent'),
    MilaanUnreadable: refusedAs('unreadable'),
    MilaanForged: refusedAs('forged'),
    MilaanBankQuiet: quiet.map(({ bank, mails: count }) => ({ bank, count })),
    MilaanNewLines: [{ count: lines }],
    MilaanKeyWithdrawn: [{ count: withdrawn }],
    MilaanStandbyLag: [{ time: lag_seconds ?? 0, cell: cell === undefined ? '' : `, cell ${cell}` }],
    MilaanBackupOld: [{ time: ageOf('backup') }],
    MilaanVerifyOld: [{ time: ageOf('verify') }],
    MilaanHistoryOverdue: [{ time: Math.max(0, ...processes.map(one => one.overdue_seconds)) }],
  };
  return (Object.entries(found) as [ShownAlarm, readonly Facts[]][]).flatMap(([name, all]) =>
    all.filter(facts => isAbove(facts, alarms[name].rule.above)).map(facts => ({ name, facts })),
  );
}

/** A fact without a number was already compared by its query. */
function isAbove({ count, time }: Facts, threshold = 0): boolean {
  return (count ?? time ?? Infinity) > threshold;
}

import { silentAfter } from '../../alerts/forwarding/forwarding-state.ts';
import { countForwardings } from '../../alerts/forwarding/queries/probes.ts';
import { countOpenLines } from '../../alerts/judging/queries/held-lines.ts';
import { countWithdrawn } from '../../alerts/judging/queries/keys.ts';
import { remembered } from '../../alerts/judging/remembered-keys.ts';
import { blindAfter } from '../../alerts/mailboxes/mailbox-state.ts';
import { day, hour, later, minute, second } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { inEachCell } from '../../operator/cells/in-each-cell.ts';
import {
  countedIn,
  type ProcessState,
  type Routine,
  selectBeginning,
  selectCounts,
  selectProcesses,
  selectRoutines,
  type ToldCount,
} from '../../operator/queries.ts';
import type { ToldMetric } from '../../operator/told-metrics.ts';
import type { Texts } from '../../texts/languages.ts';
import { selectRefusedToday } from './queries/banks.ts';
import { type InstallationFigures, selectInstallation } from './queries/operator.ts';

/** An alarm of packaging/prometheus, and what its sentence needs. */
export type Alarm =
  | { kind: Counted; count: number }
  | { kind: keyof Words['alarmOfProcess']; count: number; process: string }
  | { kind: keyof Words['alarmOfBank']; count: number; bank: string }
  | { kind: 'MilaanRoutineFailed'; routine: Routine };

type Words = Texts['operator'];
type Counted = keyof Words['alarm'];

/** As the rules for Prometheus have them. */
const late = 1 * minute;
const oldRoutine = 1.5 * day;
const mostUnreadable = 3;
const mostForged = 5;
const mostSkewSeconds = 10;
const mostLagSeconds = 0.2;
const mostOverdue = 1 * day;
const mostLate = 0.05;
const mostFailed = 2;
/** Four times the pause between two reports of a process. */
export const downAfter = 1 * minute;

/** Of each cell by itself, each said once: a process that is silent is silent to all of them. */
export async function alarmsOfAll(world: World, now: Date): Promise<Alarm[]> {
  const seenAfter = later(now, -blindAfter);
  const all = await inEachCell(world, async one =>
    findAlarms(one, await selectInstallation(one.sql, { now, seenAfter }), now),
  );
  const said = all.flatMap(alarms => alarms ?? []).map(alarm => [JSON.stringify(alarm), alarm] as const);
  return [...new Map(said).values()];
}

/**
 * What an operator would be called for now, the worst first. All that rings is told here but one: a screen needs a
 * database that can be written, so that MilaanNotReady is Prometheus's alone.
 */
export async function findAlarms(
  { sql }: Pick<World, 'sql'>,
  figures: InstallationFigures,
  now: Date,
): Promise<Alarm[]> {
  const [{ silent }, lines, withdrawn, refused, routines, beginning, counts, processes] = await Promise.all([
    countForwardings(sql, later(now, -silentAfter)),
    countOpenLines(sql),
    countWithdrawn(sql, later(now, -remembered)),
    selectRefusedToday(sql, now),
    selectRoutines(sql),
    selectBeginning(sql),
    selectCounts(sql, later(now, -hour)),
    selectProcesses(sql),
  ]);
  const isLate = (since: Date | null) => since !== null && since < later(now, -late);
  const ageOf = (routine: Routine) =>
    now.getTime() - (routines.find(row => row.routine === routine)?.succeeded_at ?? beginning).getTime();
  const overdue = Math.max(0, ...processes.map(({ overdue_seconds }) => overdue_seconds)) * second;
  const days = (span: number, most: number) => (span > most ? Math.floor(span / day) : 0);
  return [
    ...alarmsOfProcesses(processes),
    ...routines
      .filter(({ succeeded }) => !succeeded)
      .map(({ routine }) => ({ kind: 'MilaanRoutineFailed' as const, routine })),
    ...tellAll([
      ['MilaanMailboxesBlind', figures.blind_mailboxes],
      ['MilaanAlertsWaiting', isLate(figures.oldest_waiting) ? figures.waiting_alerts : 0],
      ['MilaanAlertsRetrying', figures.retrying_alerts],
      ['MilaanWebhooksLate', isLate(figures.oldest_due) ? figures.due_deliveries : 0],
      ['MilaanForwardingsSilent', silent],
      ['MilaanLoginRefused', figures.need_login],
    ]),
    ...alarmsOfCounts(counts, now),
    ...refused.flatMap(({ bank, unreadable, forged }): Alarm[] => [
      ...(unreadable > mostUnreadable
        ? [{ kind: 'MilaanUnreadable' as const, count: unreadable, bank }]
        : []),
      ...(forged > mostForged ? [{ kind: 'MilaanForged' as const, count: forged, bank }] : []),
    ]),
    ...tellAll([
      ['MilaanNewLines', lines],
      ['MilaanKeyWithdrawn', withdrawn],
      ['MilaanBackupOld', days(ageOf('backup'), oldRoutine)],
      ['MilaanVerifyOld', days(ageOf('verify'), oldRoutine)],
      ['MilaanHistoryOverdue', days(overdue, mostOverdue)],
    ]),
  ];
}

function tellAll(counts: readonly [Counted, number][]): Alarm[] {
  return counts.filter(([, count]) => count !== 0).map(([kind, count]) => ({ kind, count }));
}

function alarmsOfProcesses(processes: readonly (ProcessState & { silent_for: number })[]): Alarm[] {
  const alarms = processes.flatMap(({ process, silent_for, skew_seconds, lag_seconds }): Alarm[] => {
    if (silent_for > downAfter)
      return [{ kind: 'MilaanDown', process, count: Math.floor(silent_for / minute) }];
    if (Math.abs(skew_seconds) > mostSkewSeconds)
      return [{ kind: 'MilaanClockWrong', process, count: Math.round(skew_seconds) }];
    if (lag_seconds > mostLagSeconds)
      return [{ kind: 'MilaanSlow', process, count: Math.round(lag_seconds * second) }];
    return [];
  });
  const jump = processes.find(({ jump_seconds }) => jump_seconds !== 0)?.jump_seconds ?? 0;
  return [...alarms, ...tellAll([['MilaanClockSet', Math.round(jump)]])];
}

function alarmsOfCounts(counts: readonly ToldCount[], now: Date): Alarm[] {
  const inLast = (span: number, figure: ToldMetric) =>
    counts
      .filter(one => one.figure === figure && one.at > later(now, -span - countedIn))
      .reduce((sum, { count }) => sum + count, 0);
  const stored = inLast(15 * minute, 'alerts_stored');
  const storedLate = stored - inLast(15 * minute, 'alerts_in_time');
  const allFailed = (failed: ToldMetric, sent: ToldMetric) => {
    const count = inLast(30 * minute, failed);
    return count > mostFailed && inLast(30 * minute, sent) === 0 ? count : 0;
  };
  return tellAll([
    ['MilaanWebhooksNotSigned', inLast(15 * minute, 'not_signed')],
    ['MilaanMailLate', storedLate > mostLate * stored ? storedLate : 0],
    ['MilaanMailUnfetchable', inLast(hour, 'unfetchable')],
    ['MilaanKeysDoubted', inLast(hour, 'keys_doubted')],
    ['MilaanKeyChanged', inLast(hour, 'key_changes')],
    ['MilaanUnlistedDomain', inLast(hour, 'unlisted_domains')],
    ['MilaanMailOut', allFailed('mails_failed', 'mails_sent')],
    ['MilaanPushesFail', allFailed('pushes_failed', 'pushes_sent')],
  ]);
}

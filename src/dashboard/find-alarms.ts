import { countOpenLines } from '../alerts/queries/held-lines.ts';
import { day, later, minute } from '../clock.ts';
import { silentAfter } from '../mailboxes/forwarding-state.ts';
import { countForwardings } from '../mailboxes/queries/probes.ts';
import { type Routine, selectBeginning, selectRoutines } from '../operator/queries.ts';
import type { World } from '../world.ts';
import { selectRefusedToday } from './queries/banks.ts';
import type { InstallationFigures } from './queries/operator.ts';

/** An alarm of packaging/prometheus that can be told from the database alone, and what its sentence needs. */
export type Alarm =
  | { kind: 'MilaanMailboxesBlind' | 'MilaanLoginRefused' | 'MilaanForwardingsSilent'; count: number }
  | { kind: 'MilaanAlertsWaiting' | 'MilaanAlertsRetrying' | 'MilaanNewLines'; count: number }
  | { kind: 'MilaanWebhooksLate'; count: number }
  | { kind: 'MilaanUnreadable' | 'MilaanForged'; count: number; bank: string }
  | { kind: 'MilaanBackupOld' | 'MilaanVerifyOld'; count: number }
  | { kind: 'MilaanRoutineFailed'; routine: Routine };

/** As the rules for Prometheus have them. */
const late = 1 * minute;
const oldRoutine = 1.5 * day;
const mostUnreadable = 3;
const mostForged = 5;

/** What an operator would be called for now, the worst first. What only a process knows of itself, Prometheus tells. */
export async function findAlarms(
  { sql }: Pick<World, 'sql'>,
  figures: InstallationFigures,
  now: Date,
): Promise<Alarm[]> {
  const [{ silent }, lines, refused, routines, beginning] = await Promise.all([
    countForwardings(sql, later(now, -silentAfter)),
    countOpenLines(sql),
    selectRefusedToday(sql, now),
    selectRoutines(sql),
    selectBeginning(sql),
  ]);
  const isLate = (since: Date | null) => since !== null && since < later(now, -late);
  const found: Alarm[] = [];
  const tell = (kind: Extract<Alarm, { count: number }>['kind'], count: number) => {
    if (count > 0) found.push({ kind, count } as Alarm);
  };
  for (const { routine, succeeded } of routines)
    if (!succeeded) found.push({ kind: 'MilaanRoutineFailed', routine });
  tell('MilaanMailboxesBlind', figures.blind_mailboxes);
  tell('MilaanAlertsWaiting', isLate(figures.oldest_waiting) ? figures.waiting_alerts : 0);
  tell('MilaanAlertsRetrying', figures.retrying_alerts);
  tell('MilaanWebhooksLate', isLate(figures.oldest_due) ? figures.due_deliveries : 0);
  tell('MilaanForwardingsSilent', silent);
  tell('MilaanLoginRefused', figures.need_login);
  for (const { bank, unreadable, forged } of refused) {
    if (unreadable > mostUnreadable) found.push({ kind: 'MilaanUnreadable', count: unreadable, bank });
    if (forged > mostForged) found.push({ kind: 'MilaanForged', count: forged, bank });
  }
  tell('MilaanNewLines', lines);
  for (const [routine, kind] of [
    ['backup', 'MilaanBackupOld'],
    ['verify', 'MilaanVerifyOld'],
  ] as const) {
    const since = routines.find(row => row.routine === routine)?.succeeded_at ?? beginning;
    const age = now.getTime() - since.getTime();
    if (age > oldRoutine) tell(kind, Math.floor(age / day));
  }
  return found;
}

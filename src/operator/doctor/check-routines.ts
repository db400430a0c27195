import { existsSync } from 'node:fs';
import { day, hour, systemClock } from '../../base/clock.ts';
import type { Sql } from '../../base/database/connect.ts';
import { secretBox } from '../../base/secrets.ts';
import type { Config } from '../../base/settings/config.ts';
import { pushKeys } from '../../outbox/pushes/subscription.ts';
import { type Routine, selectRoutines } from '../queries.ts';
import { countLostSecrets } from '../seal-again.ts';
import { type Finding, fault, fine, warning } from './finding.ts';
import { selectPushFacts } from './queries.ts';

/** A nightly routine is overdue after one missed night. */
const overdue = 1.5 * day;
const systemd = '/run/systemd/system';

export async function checkRoutines(
  sql: Sql,
  config: Config,
  timers = existsSync(systemd),
): Promise<Finding[]> {
  const lost = await countLostSecrets({ sql, secrets: secretBox(config.keyRing) });
  const routines = await selectRoutines(sql);
  const overdueTodo = (routine: Routine) =>
    timers
      ? `check its timer (systemctl list-timers milaan-${routine}.timer)`
      : `find out why nothing ran milaan ${routine} last night; without systemd, use cron`;
  const check = (routine: Routine, todo: string): Finding => {
    const row = routines.find(one => one.routine === routine);
    if (!row) return fault(routine, 'never ran', todo);
    const hours = Math.round((systemClock.now().getTime() - row.finished_at.getTime()) / hour);
    if (!row.succeeded) return fault(routine, `failed ${hours} hours ago: ${row.details}`, todo);
    return hours * hour > overdue
      ? warning(routine, `last ran ${hours} hours ago`, overdueTodo(routine))
      : fine(routine, `${hours} hours ago: ${row.details}`);
  };
  return [
    lost === 0
      ? fine('secrets', 'SECRET_KEY opens all of them')
      : fault(
          'secrets',
          `${lost} were sealed with a key that is not in SECRET_KEY`,
          'add the older key again, after a comma',
        ),
    check(
      'backup',
      config.backupKey === null
        ? `set BACKUP_KEY, then ${timers ? 'systemctl enable --now milaan-backup.timer' : 'run milaan backup every night, for example by cron'}`
        : 'run milaan backup, and read its output',
    ),
    check('verify', 'run milaan verify; never ignore a breach: see docs/alarms.md'),
  ];
}

export async function checkPush(sql: Sql, config: Pick<Config, 'pushKey'>): Promise<Finding[]> {
  const { devices, untaken, last_told_at } = await selectPushFacts(sql);
  const keys = pushKeys(config);
  if (keys === null)
    return [
      devices === 0
        ? fine('push', 'PUSH_KEY is not set: notices appear on no device')
        : fault(
            'push',
            `${devices} devices expect notices, and PUSH_KEY is not set`,
            'put the key back: under another one every device has to be added again',
          ),
    ];
  // The public half is computed from the private one, so the two always match.
  const found = `key ${keys.publicKey.slice(0, 12)}…, ${devices} devices, last notified ${last_told_at?.toISOString() ?? 'never'}`;
  return [
    untaken === 0
      ? fine('push', found)
      : warning(
          'push',
          `${found}; ${untaken} notices were not accepted at the first try`,
          'let https out to the push services of browsers; if PUSH_KEY was changed, put the older one back',
        ),
  ];
}

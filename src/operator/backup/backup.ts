import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { day, later, systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/settings/config.ts';
import { StartError } from '../../base/start-error.ts';
import type { Command } from '../command.ts';
import { noteRoutine } from '../queries.ts';
import { writeBackup } from './write-backup.ts';

export const backupCommand: Command = {
  needs: 'database',
  summary: 'write an encrypted backup of the database, try it, and drop those that are too old',
  options: {
    untried: { meaning: 'do not restore it into a scratch database for a trial', flag: true },
  },
  async run(world, options) {
    const { backupKey: key, backupFolder: folder, backupDays } = world.config;
    const databaseUrl = liveDatabase(world.config);
    if (key === null) throw new StartError(keyMissing);
    const now = systemClock.now();
    const note = (succeeded: boolean, details: string) =>
      noteRoutine(world.sql, { routine: 'backup', now: systemClock.now(), succeeded, details });
    dropUnfinished(folder, now);
    try {
      const isTried = options['untried'] === undefined;
      const { file, bytes, tried } = await writeBackup(world, { databaseUrl, key, folder, now, isTried });
      const trial = tried
        ? `tried: ${tried.businesses} businesses, ${tried.orders} orders, ${tried.alerts} alerts restored, all rules hold`
        : 'not tried';
      console.log(`${file}  ${bytes} bytes\n${trial}`);
      await note(true, trial);
    } catch (error) {
      await note(false, (error as Error).message).catch(() => {});
      throw error;
    }
    for (const name of dropOldBackups(folder, backupDays, now)) console.log(`dropped ${name}`);
    return 0;
  },
};

const keyMissing =
  'BACKUP_KEY is not set: age-keygen makes a pair on another machine; its line "public key" goes into BACKUP_KEY, its file stays away from here';

/** The database that a backup or a restore may work on. */
export function liveDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl === null) throw new StartError('there are no live settings: a sandbox is thrown away');
  return databaseUrl;
}

const ours = /^milaan-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.dump\.age$/;

/** Those older than so many days, by the moment in their names. The newest stays, however old it is. */
function dropOldBackups(folder: string, days: number, now: Date): string[] {
  const names = readdirSync(folder)
    .filter(name => ours.test(name))
    .sort();
  const oldest = later(now, -days * day);
  const old = names.slice(0, -1).filter(name => momentOf(name) < oldest);
  for (const name of old) rmSync(join(folder, name));
  return old;
}

/** What a backup left that was killed. One of today may still be written. */
function dropUnfinished(folder: string, now: Date): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const whole = name.replace(/\.part$/, '');
    if (name !== whole && ours.test(whole) && momentOf(whole) < later(now, -day)) rmSync(join(folder, name));
  }
}

function momentOf(name: string): Date {
  return new Date(name.replace(ours, '$1T$2:$3:$4Z'));
}

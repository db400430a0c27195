import { globSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { day, later, systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/settings/config.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import type { Command } from '../command.ts';
import { noteRoutine } from '../queries.ts';
import { type Wanted, writeBackup } from './write-backup.ts';

export const backupCommand: Command = {
  needs: 'database',
  summary: 'write an encrypted backup, test it by restoring it, and delete backups that are too old',
  everyCell: true,
  options: {
    dir: { meaning: 'where to write to, instead of BACKUP_DIR; no old backup is deleted there' },
    untried: { meaning: 'do not test it in a scratch database', flag: true },
  },
  settings: 'BACKUP_KEY (age public key), BACKUP_DIR (/var/backups/milaan), BACKUP_DAYS (14)',
  async run(world, options) {
    const { backupKey, backupFolder, backupDays, cells } = world.config;
    const folder = resolve(options['dir'] || backupFolder);
    const urls = cells?.urls ?? [liveDatabase(world.config)];
    if (backupKey === null) throw new StartError(keyMissing);
    const now = systemClock.now();
    dropUnfinished(folder, now);
    const how = { key: backupKey, folder, now, isTried: options['untried'] === undefined };
    const done = new Set<number>();
    // If one cell fails, back up the others and keep the failed cell's older backups.
    for (const [cell, databaseUrl] of urls.entries())
      await backUp(world.cells?.worlds[cell] ?? world, { ...how, databaseUrl, ...(cells && { cell }) }).then(
        () => done.add(cell),
        error => {
          if (!cells) throw error;
          console.error(`cell ${cell}: ${error.message}`);
        },
      );
    // Drop old backups only in BACKUP_DIR: archives in another folder belong to the operator.
    if (!options['dir'])
      for (const name of dropOldBackups(folder, done, later(now, -backupDays * day)))
        console.log(`dropped ${name}`);
    return done.size === urls.length ? 0 : 1;
  },
};

async function backUp(world: World, wanted: Wanted): Promise<void> {
  const note = (succeeded: boolean, details: string) =>
    noteRoutine(world.sql, { routine: 'backup', now: systemClock.now(), succeeded, details });
  try {
    const { file, bytes, tried } = await writeBackup(world, wanted);
    const trial = tried
      ? `tried: ${tried.businesses} businesses, ${tried.orders} orders, ${tried.alerts} alerts restored, all rules hold`
      : 'not tried';
    console.log(`${file}  ${bytes} bytes\n${trial}`);
    await note(true, trial);
  } catch (error) {
    const { message, path } = error as NodeJS.ErrnoException;
    await note(false, message).catch(() => {});
    // The operator can correct a directory that cannot be written, so this is a StartError.
    throw path === undefined ? error : new StartError(`the backup cannot be written: ${message}`);
  }
}

const keyMissing =
  'BACKUP_KEY is not set: age-keygen makes a pair on another machine; put its "public key" into BACKUP_KEY, and never copy its file to this machine';

export function liveDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl === null) throw new StartError('there are no live settings, and a sandbox needs no backup');
  return databaseUrl;
}

export const ours = /^milaan-(?:cell(\d+)-)?(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.dump\.age$/;

/** Drops backups older than `oldest`, only of cells that have a new one. A name without a cell belongs to cell 0. */
export function dropOldBackups(folder: string, done: ReadonlySet<number>, oldest: Date): string[] {
  const isOld = (name: string) => done.has(Number(ours.exec(name)![1] ?? 0)) && momentOf(name) < oldest;
  const old = readdirSync(folder)
    .filter(name => ours.test(name) && isOld(name))
    .sort();
  for (const name of old) rmSync(join(folder, name));
  return old;
}

/** Drops the unfinished files of backups that were killed. A file of today may still be being written. */
function dropUnfinished(folder: string, now: Date): void {
  for (const name of globSync('*.part', { cwd: folder })) {
    const whole = name.replace(/\.part$/, '');
    if (ours.test(whole) && momentOf(whole) < later(now, -day)) rmSync(join(folder, name));
  }
}

export function momentOf(name: string): Date {
  return new Date(name.replace(ours, '$2T$3:$4:$5Z'));
}

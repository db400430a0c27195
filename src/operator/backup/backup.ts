import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { day, later, systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/settings/config.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import type { Command } from '../command.ts';
import { noteRoutine } from '../queries.ts';
import { type Wanted, writeBackup } from './write-backup.ts';

export const backupCommand: Command = {
  needs: 'database',
  summary: 'write an encrypted backup of the database, try it, and drop those that are too old',
  everyCell: true,
  options: {
    untried: { meaning: 'do not restore it into a scratch database for a trial', flag: true },
  },
  async run(world, options) {
    const { backupKey, backupFolder: folder, backupDays, cells } = world.config;
    const urls = cells?.urls ?? [liveDatabase(world.config)];
    if (backupKey === null) throw new StartError(keyMissing);
    const now = systemClock.now();
    dropUnfinished(folder, now);
    const how = { key: backupKey, folder, now, isTried: options['untried'] === undefined };
    const done = new Set<number>();
    // One that cannot be backed up keeps no other from it, and what there is of it stays.
    for (const [cell, databaseUrl] of urls.entries())
      await backUp(world.cells?.worlds[cell] ?? world, { ...how, databaseUrl, ...(cells && { cell }) }).then(
        () => done.add(cell),
        error => {
          if (!cells) throw error;
          console.error(`cell ${cell}: ${error.message}`);
        },
      );
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
    await note(false, (error as Error).message).catch(() => {});
    throw error;
  }
}

const keyMissing =
  'BACKUP_KEY is not set: age-keygen makes a pair on another machine; its line "public key" goes into BACKUP_KEY, its file stays away from here';

/** The database that a backup or a restore may work on. */
export function liveDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl === null) throw new StartError('there are no live settings: a sandbox is thrown away');
  return databaseUrl;
}

const ours = /^milaan-(?:cell(\d+)-)?(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.dump\.age$/;

/** Of those cells of which one was written just now, by the moment in their names. What names no cell was cell 0's. */
export function dropOldBackups(folder: string, done: ReadonlySet<number>, oldest: Date): string[] {
  const isOld = (name: string) => done.has(Number(ours.exec(name)![1] ?? 0)) && momentOf(name) < oldest;
  const old = readdirSync(folder)
    .filter(name => ours.test(name) && isOld(name))
    .sort();
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
  return new Date(name.replace(ours, '$2T$3:$4:$5Z'));
}

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { day, later } from '../../clock.ts';

const ours = /^milaan-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.dump\.age$/;

/** Those older than so many days, by the moment in their names. The newest stays, however old it is. */
export function dropOldBackups(folder: string, days: number, now: Date): string[] {
  const names = readdirSync(folder)
    .filter(name => ours.test(name))
    .sort();
  const oldest = later(now, -days * day);
  const old = names.slice(0, -1).filter(name => momentOf(name) < oldest);
  for (const name of old) rmSync(join(folder, name));
  return old;
}

function momentOf(name: string): Date {
  return new Date(name.replace(ours, '$1T$2:$3:$4Z'));
}

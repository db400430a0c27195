import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);

export type Migration = { name: string; text: string; checksum: string; runsBeside: boolean };

/**
 * What a migration promises to a rolling upgrade. One without this line, as those of release 0.1.0, promises nothing:
 * processes of the release before must have ended.
 */
const besideMark = /^-- The release before may run beside it\.$/m;

/** In their order. */
export function migrationNames(folder = migrationsFolder): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort();
}

export function readMigrations(folder: URL): Migration[] {
  return migrationNames(folder).map(name => {
    // A checkout on Windows may have given the lines other ends.
    const text = readFileSync(new URL(name, folder), 'utf8').replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(text).digest('hex');
    return { name, text, checksum, runsBeside: besideMark.test(text) };
  });
}

export function numberOf(migration: string): number {
  return Number.parseInt(migration, 10);
}

import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export const migrationsFolder = new URL('../../../migrations/', import.meta.url);

export type Migration = { name: string; text: string; checksum: string; runsBeside: boolean };

/** Without this line, an upgrade refuses while the previous release runs, as from 0.1.0 to 0.2.0. */
const besideMark = /^-- The release before may run beside it( where there is one database)?\.$/m;

export function migrationNames(folder = migrationsFolder): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort();
}

/** `hasCells`: with several databases, some migrations do not support rolling upgrades. */
export function readMigrations(folder: URL, hasCells: boolean): Migration[] {
  return migrationNames(folder).map(name => {
    const text = readText(new URL(name, folder));
    const checksum = createHash('sha256').update(text).digest('hex');
    const [promised, butForCells] = besideMark.exec(text) ?? [];
    return { name, text, checksum, runsBeside: promised !== undefined && !(butForCells && hasCells) };
  });
}

export type FunctionFile = { name: string; text: string };

/** Reads the database functions; each file replaces one function. */
export function readFunctions(folder: URL): FunctionFile[] {
  return globSync('functions/*.sql', { cwd: fileURLToPath(folder) })
    .sort()
    .map(path => ({ name: basename(path), text: readText(new URL(path, folder)) }));
}

/** A checkout on Windows may have other line ends. */
function readText(path: URL): string {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
}

export function numberOf(migration: string): number {
  return Number.parseInt(migration, 10);
}

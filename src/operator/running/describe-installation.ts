import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../base/settings/config.ts';

/** Which installation this is, in words an operator recognises; no password is in them. */
export function describeInstallation({ mode, databaseUrl, cells, dataDir, settingsFrom }: Config): string {
  const several = cells ? `${cells.urls.length} cells, the first is ` : '';
  const what =
    mode === 'live' ? `live, ${several}${describeDatabase(databaseUrl ?? '')}` : `sandbox in ${dataDir}`;
  return `${what} (settings: ${settingsFrom})`;
}

export function describeDatabase(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  const name = decodeURIComponent(pathname.slice(1)) || 'of the same name as its user';
  return `database ${name} at ${searchParams.get('host') ?? host}`;
}

/**
 * Half of a start is reading and compiling some thousand files. What Node made of them is kept beside the packages,
 * where only those who may change the code may write, and the next start takes it from there. Where the folder cannot
 * be written, Node goes on without.
 */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/milaan', import.meta.url)));
}

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../base/settings/config.ts';

/** Describes the installation in words that its operator recognizes. It contains no password. */
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

/** Half of a start is compiling. Only users who may change the code can write to the cache's folder. */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/milaan', import.meta.url)));
}

import type { Config } from '../base/settings/config.ts';

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

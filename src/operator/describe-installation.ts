import type { Config } from '../base/settings/config.ts';

/** Which installation this is, in words an operator recognises; no password is in them. */
export function describeInstallation({ mode, databaseUrl, dataDir, settingsFrom }: Config): string {
  const what = mode === 'live' ? `live, ${describeDatabase(databaseUrl ?? '')}` : `sandbox in ${dataDir}`;
  return `${what} (settings: ${settingsFrom})`;
}

export function describeDatabase(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  const name = decodeURIComponent(pathname.slice(1)) || 'of the same name as its user';
  return `database ${name} at ${searchParams.get('host') ?? host}`;
}

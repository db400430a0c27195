import type { SecureContext } from 'node:tls';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { explainFailure, type FailureKind } from './explain-failure.ts';
import { refreshAccess } from './oauth/ask-for-token.ts';
import {
  type Connection,
  chooseFolders,
  type Login,
  openConnection,
  trustedRoots,
} from './open-connection.ts';
import { type Pace, usualPace } from './pace.ts';
import { providerOf } from './providers.ts';
import { type MailboxSettings, type ReadSettings, readSettings } from './read-settings.ts';

export type Tested =
  | { ok: true; settings: ReadSettings; folders: string[] }
  | { ok: false; kind: FailureKind | 'settings'; reason: Reason };

export type TestOptions = {
  roots?: SecureContext;
  pace?: Partial<Pace>;
};

/** Logs in, opens INBOX once, read-only, and explains any problem. Stores nothing. */
export async function testConnection(
  world: Pick<World, 'dns' | 'config' | 'mailServices'>,
  typed: MailboxSettings,
  options: TestOptions = {},
): Promise<Tested> {
  const read = readSettings(world, typed);
  if (!read.ok) return { ok: false, kind: 'settings', reason: read.reason };
  const { settings } = read;
  const { signal } = new AbortController();
  const tokenUrl = world.mailServices?.[settings.provider]?.tokenUrl;
  const pace = { ...usualPace, ...options.pace };
  let connection: Connection | null = null;
  try {
    const login = await loginOf(world, settings, signal, tokenUrl);
    const roots = options.roots ?? trustedRoots(null);
    connection = await openConnection(world, settings, login, { pace, roots, signal });
    const folders = await chooseFolders(connection, settings.extraFolders);
    await connection.run(client => client.mailboxOpen('INBOX', { readOnly: true }));
    const missing = settings.extraFolders.find(name => !folders.includes(name));
    if (missing)
      return { ok: false, kind: 'settings', reason: because('no_such_folder', { folder: missing }) };
    return { ok: true, settings, folders };
  } catch (error) {
    const failure = explainFailure(error, providerOf(settings.provider));
    return { ok: false, kind: failure.kind, reason: failure.reason };
  } finally {
    connection?.close();
  }
}

/** A provider may replace the refresh token at each use, so the newest one is kept. */
async function loginOf(
  { config }: Pick<World, 'config'>,
  settings: ReadSettings,
  signal: AbortSignal,
  tokenUrl: string | undefined,
): Promise<Login> {
  const { credential, username: user } = settings;
  if (credential.kind === 'password') return { user, password: credential.password };
  const { accessToken, refreshToken } = await refreshAccess(config, credential, { signal, tokenUrl });
  if (refreshToken !== null) settings.credential = { ...credential, refreshToken };
  return { user, accessToken };
}

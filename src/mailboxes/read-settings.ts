import { parseHost } from '../network/parse-destination.ts';
import type { World } from '../world.ts';
import { mostExtraFolders, mostFolderLength } from './limits.ts';
import { parseMailAddress } from './mail-address.ts';
import type { Credential } from './open-login.ts';
import { type ProviderId, providerOf, providers } from './providers.ts';

/** What a merchant types to connect a mailbox. */
export type MailboxSettings = {
  provider: ProviderId;
  address: string;
  /** Where it differs from the address. */
  username?: string | undefined;
  /** For another mail server only. */
  host?: string | undefined;
  port?: number | undefined;
  extraFolders?: readonly string[] | undefined;
  credential: Credential;
};

export type ReadSettings = Required<Pick<MailboxSettings, 'provider' | 'credential'>> & {
  address: string;
  username: string;
  host: string;
  port: number;
  extraFolders: string[];
};

const mostLength = 500;

/** Settings that can be tried, or what is wrong with them, in words. */
export function readSettings(
  { config, mailServices }: Pick<World, 'config' | 'mailServices'>,
  settings: MailboxSettings,
): { ok: true; settings: ReadSettings } | { ok: false; reason: string } {
  const refuse = (reason: string) => ({ ok: false as const, reason });
  const provider = providers.find(({ id }) => id === settings.provider);
  if (!provider) return refuse('Choose the mail provider.');
  const address = parseMailAddress(settings.address);
  if (!address) return refuse('This is not a mail address.');
  const username = (settings.username ?? '').trim() || address;
  if (username.length > mostLength || /[\u0000-\u001f\u007f]/.test(username))
    return refuse('This is not a user name.');
  const server = mailServices?.[provider.id] ?? provider;
  const host = server.host ?? (settings.host ?? '').trim();
  const port = server.host ? server.port : (settings.port ?? server.port);
  if (!Number.isInteger(port) || port < 1 || port > 65535) return refuse('The port must be from 1 to 65535.');
  const parsed = parseHost(host, port, config);
  if (!parsed.ok) return refuse(`The name of the mail server ${parsed.reason}.`);
  const problem = credentialProblem(settings.credential, provider.id);
  if (problem) return refuse(problem);
  const extraFolders = [...new Set((settings.extraFolders ?? []).map(name => name.trim()).filter(Boolean))];
  if (extraFolders.length > mostExtraFolders) return refuse(`At most ${mostExtraFolders} further folders.`);
  if (extraFolders.some(name => name.length > mostFolderLength || /[\u0000-\u001f\u007f*%]/.test(name))) {
    return refuse('This is not the name of a folder.');
  }
  const { credential } = settings;
  return {
    ok: true,
    settings: {
      provider: provider.id,
      address,
      username,
      host: parsed.host.name,
      port,
      extraFolders,
      credential,
    },
  };
}

function credentialProblem(credential: Credential, provider: ProviderId): string | null {
  if (credential.kind === 'oauth') {
    return credential.provider === provider && credential.refreshToken
      ? null
      : 'Sign in with the mail provider.';
  }
  if (providerOf(provider).oauthOnly) return providerOf(provider).loginHint;
  if (credential.password === '' || credential.password.length > mostLength) return 'Type the password.';
  return /[\u0000\r\n]/.test(credential.password) ? 'The password contains a line break.' : null;
}

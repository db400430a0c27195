import { parseHost } from '../../base/network/parse-destination.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { mostExtraFolders, mostFolderLength } from '../mail/limits.ts';
import { serviceOf } from './mail-services.ts';
import type { Credential } from './open-login.ts';
import { imaps, type ProviderId, providerOf, providers, zohoOwnDomains } from './providers.ts';

export type MailboxSettings = {
  provider: ProviderId;
  address: string;
  /** Set only if it differs from the address. */
  username?: string | undefined;
  /** Only for another mail server. */
  host?: string | undefined;
  port?: number | undefined;
  extraFolders?: readonly string[] | undefined;
  credential: Credential;
};

export type ReadSettings = {
  [Name in keyof MailboxSettings]-?: NonNullable<MailboxSettings[Name]>;
};

const mostLength = 500;

export function readSettings(
  { config, mailServices }: Pick<World, 'config' | 'mailServices'>,
  settings: MailboxSettings,
): { ok: true; settings: ReadSettings } | { ok: false; reason: Reason } {
  const refuse = (reason: Reason) => ({ ok: false as const, reason });
  const provider = providers.find(({ id }) => id === settings.provider);
  if (!provider) return refuse(because('provider_unchosen'));
  const address = parseMailAddress(settings.address);
  if (!address) return refuse(because('not_an_address'));
  const username = (settings.username ?? '').trim() || address;
  if (username.length > mostLength || /[\u0000-\u001f\u007f]/.test(username))
    return refuse(because('not_a_username'));
  const isOwnDomain = provider.id === 'zoho' && serviceOf(address).provider !== 'zoho';
  const usualHost = isOwnDomain ? zohoOwnDomains : provider.host;
  const server = mailServices?.[provider.id] ?? { host: usualHost, port: imaps };
  const host = server.host ?? (settings.host ?? '').trim();
  const port = server.host ? server.port : (settings.port ?? imaps);
  if (!Number.isInteger(port) || port < 1 || port > 65535) return refuse(because('bad_port'));
  const parsed = parseHost(host, port, config);
  if (!parsed.ok) return refuse(because('bad_server_name', { problem: parsed.reason }));
  const problem = credentialProblem(settings.credential, provider.id);
  if (problem) return refuse(problem);
  const extraFolders = [...new Set((settings.extraFolders ?? []).map(name => name.trim()).filter(Boolean))];
  if (extraFolders.length > mostExtraFolders)
    return refuse(because('too_many_folders', { most: mostExtraFolders }));
  if (extraFolders.some(name => name.length > mostFolderLength || /[\u0000-\u001f\u007f*%]/.test(name))) {
    return refuse(because('not_a_folder'));
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

function credentialProblem(credential: Credential, provider: ProviderId): Reason | null {
  if (credential.kind === 'oauth') {
    return credential.provider === provider && credential.refreshToken
      ? null
      : because('provider_sign_in_needed');
  }
  if (providerOf(provider).oauthOnly) return providerOf(provider).loginHint;
  if (credential.password === '' || credential.password.length > mostLength)
    return because('password_missing');
  return /[\u0000\r\n]/.test(credential.password) ? because('password_line_break') : null;
}

import type { Config, OauthClient } from '../../../base/settings/config.ts';
import { because } from '../../../texts/verdicts.ts';
import { MailFailure } from '../mail-failure.ts';

export type OauthProvider = 'gmail' | 'outlook';

/** Where each provider asks its user, where it hands out tokens, and what we ask for. */
export const oauthEndpoints = {
  gmail: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    scope: 'https://mail.google.com/',
  },
  outlook: {
    authorize: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    scope: 'https://outlook.office.com/IMAP.AccessAsUser.All offline_access',
  },
} as const;

export type OauthConfig = Pick<Config, 'googleClient' | 'microsoftClient'>;

/** The client the operator registered with the provider, or null: then only passwords are offered. */
export function oauthClient(config: OauthConfig, provider: OauthProvider): OauthClient | null {
  return provider === 'gmail' ? config.googleClient : config.microsoftClient;
}

export function requireClient(config: OauthConfig, provider: OauthProvider): OauthClient {
  const client = oauthClient(config, provider);
  if (client) return client;
  const name = provider === 'gmail' ? 'Google' : 'Microsoft';
  throw new MailFailure('login', because('provider_not_set_up', { provider: name }));
}

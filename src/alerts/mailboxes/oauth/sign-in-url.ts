import type { Config, OauthClient } from '../../../base/settings/config.ts';
import { because } from '../../../texts/verdicts.ts';
import { MailFailure } from '../explain-failure.ts';

export type SignIn = {
  provider: OauthProvider;
  /** Where the provider sends the merchant back to; registered with the provider beforehand. */
  redirectUrl: string;
  /** Bound to the merchant's session by the caller, checked when they return. */
  state: string;
  /** base64url SHA-256 of a secret that the caller keeps for `redeemCode` (PKCE). */
  codeChallenge: string;
  address?: string;
  /** Where the provider asks its user, unless at the usual place. */
  authorizeUrl?: string | undefined;
};

/** Where to send the merchant so that they let us read their mailbox. */
export function signInUrl(config: OauthConfig, signIn: SignIn): string {
  const { authorize, scope } = oauthEndpoints[signIn.provider];
  const url = new URL(signIn.authorizeUrl ?? authorize);
  const values = {
    client_id: requireClient(config, signIn.provider).id,
    response_type: 'code',
    redirect_uri: signIn.redirectUrl,
    scope,
    state: signIn.state,
    code_challenge: signIn.codeChallenge,
    code_challenge_method: 'S256',
    // Google hands out a refresh token only when asked for offline access with a fresh consent.
    access_type: 'offline',
    prompt: 'consent',
    ...(signIn.address && { login_hint: signIn.address }),
  };
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

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

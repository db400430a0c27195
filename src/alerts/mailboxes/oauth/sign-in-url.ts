import type { Config, OauthClient } from '../../../base/settings/config.ts';
import { because } from '../../../texts/verdicts.ts';
import { MailFailure } from '../explain-failure.ts';

export type SignIn = {
  provider: OauthProvider;
  /** The address to which the provider sends the merchant back; it must be registered with the provider. */
  redirectUrl: string;
  /** The caller binds it to the merchant's session and checks it on return. */
  state: string;
  /** base64url SHA-256 of a secret that the caller keeps for `redeemCode` (PKCE). */
  codeChallenge: string;
  address?: string;
  /** The provider's sign-in address, if it is not the usual one. */
  authorizeUrl?: string | undefined;
};

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
    // Google returns a refresh token only for offline access with new consent.
    access_type: 'offline',
    prompt: 'consent',
    ...(signIn.address && { login_hint: signIn.address }),
  };
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return url.href;
}

export type OauthProvider = 'gmail' | 'outlook';

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

/** The client that the operator registered with the provider. If null, only passwords are offered. */
export function oauthClient(config: OauthConfig, provider: OauthProvider): OauthClient | null {
  return provider === 'gmail' ? config.googleClient : config.microsoftClient;
}

export function requireClient(config: OauthConfig, provider: OauthProvider): OauthClient {
  const client = oauthClient(config, provider);
  if (client) return client;
  const name = provider === 'gmail' ? 'Google' : 'Microsoft';
  throw new MailFailure('login', because('provider_not_set_up', { provider: name }));
}

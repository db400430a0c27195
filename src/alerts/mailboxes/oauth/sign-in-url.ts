import { type OauthConfig, type OauthProvider, oauthEndpoints, requireClient } from './oauth-client.ts';

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

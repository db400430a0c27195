import { because } from '../../verdicts.ts';
import { MailFailure } from '../mail-failure.ts';
import { askForToken } from './ask-for-token.ts';
import { type OauthConfig, type OauthProvider, oauthEndpoints, requireClient } from './oauth-client.ts';

/** Turns the code with which the merchant returns from the provider into the refresh token that is kept. */
export async function redeemCode(
  config: OauthConfig,
  {
    provider,
    code,
    codeVerifier,
    redirectUrl,
  }: { provider: OauthProvider; code: string; codeVerifier: string; redirectUrl: string },
  { signal, tokenUrl }: { signal: AbortSignal; tokenUrl?: string | undefined },
): Promise<string> {
  const client = requireClient(config, provider);
  const { refreshToken } = await askForToken(
    tokenUrl ?? oauthEndpoints[provider].token,
    {
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUrl,
      client_id: client.id,
      client_secret: client.secret,
    },
    signal,
  );
  if (refreshToken === null) {
    throw new MailFailure('login', because('no_lasting_permission'));
  }
  return refreshToken;
}

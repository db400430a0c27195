import { because } from '../../../texts/verdicts.ts';
import { MailFailure } from '../mail-failure.ts';
import { type AskOptions, askForToken } from './ask-for-token.ts';
import type { OauthConfig, OauthProvider } from './oauth-client.ts';

type Returned = { provider: OauthProvider; code: string; codeVerifier: string; redirectUrl: string };

/** Turns the code with which the merchant returns from the provider into the refresh token that is kept. */
export async function redeemCode(
  config: OauthConfig,
  { provider, code, codeVerifier: code_verifier, redirectUrl: redirect_uri }: Returned,
  options: AskOptions,
): Promise<string> {
  const grant = { grant_type: 'authorization_code', code, code_verifier, redirect_uri };
  const { refreshToken } = await askForToken(config, provider, grant, options);
  if (refreshToken === null) throw new MailFailure('login', because('no_lasting_permission'));
  return refreshToken;
}

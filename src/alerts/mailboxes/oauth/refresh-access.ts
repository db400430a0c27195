import { type AskOptions, askForToken, type TokenAnswer } from './ask-for-token.ts';
import { type OauthConfig, type OauthProvider, oauthEndpoints } from './oauth-client.ts';

/** A fresh access token. They live about an hour; a session simply asks for one when it begins. */
export async function refreshAccess(
  config: OauthConfig,
  { provider, refreshToken }: { provider: OauthProvider; refreshToken: string },
  options: AskOptions,
): Promise<TokenAnswer> {
  const scope = provider === 'outlook' && { scope: oauthEndpoints.outlook.scope };
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken, ...scope };
  return await askForToken(config, provider, grant, options);
}

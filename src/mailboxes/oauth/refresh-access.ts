import { askForToken, type TokenAnswer } from './ask-for-token.ts';
import { type OauthConfig, type OauthProvider, oauthEndpoints, requireClient } from './oauth-client.ts';

/** A fresh access token. They live about an hour; a session simply asks for one when it begins. */
export async function refreshAccess(
  config: OauthConfig,
  { provider, refreshToken }: { provider: OauthProvider; refreshToken: string },
  { signal, tokenUrl }: { signal: AbortSignal; tokenUrl?: string | undefined },
): Promise<TokenAnswer> {
  const client = requireClient(config, provider);
  return await askForToken(
    tokenUrl ?? oauthEndpoints[provider].token,
    {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: client.id,
      client_secret: client.secret,
      ...(provider === 'outlook' && { scope: oauthEndpoints.outlook.scope }),
    },
    signal,
  );
}

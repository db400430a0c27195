import { second } from '../../../base/clock.ts';
import { because } from '../../../texts/verdicts.ts';
import { MailFailure } from '../explain-failure.ts';
import { type OauthConfig, type OauthProvider, oauthEndpoints, requireClient } from './sign-in-url.ts';

export type TokenAnswer = { accessToken: string; refreshToken: string | null };

const answerLimit = 10 * second;
const mostAnswerBytes = 64 * 1024;

/** `tokenUrl` is set only if it is not the provider's own. */
export type AskOptions = { signal: AbortSignal; tokenUrl?: string | undefined };

/** Sends one request to a provider's token endpoint. The addresses are the providers' own, never a stranger's. */
async function askForToken(
  config: OauthConfig,
  provider: OauthProvider,
  grant: Record<string, string>,
  { signal, tokenUrl = oauthEndpoints[provider].token }: AskOptions,
): Promise<TokenAnswer> {
  const client = requireClient(config, provider);
  let status: number;
  let text: string;
  try {
    const answer = await fetch(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams({ ...grant, client_id: client.id, client_secret: client.secret }),
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerLimit)]),
    });
    status = answer.status;
    text = await readBounded(answer);
  } catch (error) {
    signal.throwIfAborted();
    throw new MailFailure('unreachable', because('token_service_silent'), error);
  }
  return readAnswer(status, text);
}

async function readBounded(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > mostAnswerBytes) throw new Error('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readAnswer(status: number, text: string): TokenAnswer {
  const answer = parse(text);
  const accessToken = answer['access_token'];
  const refreshToken = answer['refresh_token'];
  if (status === 200 && typeof accessToken === 'string' && accessToken !== '') {
    return {
      accessToken,
      refreshToken: typeof refreshToken === 'string' && refreshToken ? refreshToken : null,
    };
  }
  const code =
    typeof answer['error'] === 'string' ? answer['error'].replace(/[^\w.-]/g, '').slice(0, 60) : '';
  // Only the merchant can renew a withdrawn, expired or foreign permission. A wrong client is the operator's fault.
  if (code === 'invalid_grant' || code === 'interaction_required') {
    throw new MailFailure('login', because('permission_ended'));
  }
  if (code === 'invalid_client' || code === 'unauthorized_client') {
    throw new MailFailure('login', because('installation_unknown'));
  }
  const said = [status, code].filter(Boolean).join(' ');
  throw new MailFailure('busy', because('token_service_said', { answer: said }));
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Gets a new access token. It lives about an hour; each session asks for one when it begins. */
export async function refreshAccess(
  config: OauthConfig,
  { provider, refreshToken }: { provider: OauthProvider; refreshToken: string },
  options: AskOptions,
): Promise<TokenAnswer> {
  const scope = provider === 'outlook' && { scope: oauthEndpoints.outlook.scope };
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken, ...scope };
  return await askForToken(config, provider, grant, options);
}

type Returned = { provider: OauthProvider; code: string; codeVerifier: string; redirectUrl: string };

/** Exchanges the code from the provider's sign-in for the refresh token that is kept. */
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

import { callApi } from './call-api.ts';
import { MilaanError } from './milaan-error.ts';
import { originOf } from './origin-of.ts';

/** The shop as the owner will see it. Both addresses must be on one host. */
export type Shop = {
  /** The connection's name in the owner's list, 1 to 60 characters. */
  shop_name: string;
  /** Your page to which the owner's browser returns. */
  return_url: string;
  /** The address for your orders' webhooks. */
  webhook_url: string;
};

export type ConnectStarted = {
  /** Send the owner's browser there. */
  url: string;
  /** Keep the rest on your server until the browser returns, for this owner alone. */
  base_url: string;
  return_url: string;
  state: string;
  code_verifier: string;
};

export type Credentials = {
  connection_id: string;
  api_key: string;
  webhook_secret: string;
  /** The account that the owner chose. Send it with every order. */
  payment_account_id: string;
  business_name: string;
  mode: 'live' | 'sandbox';
  base_url: string;
};

export type ConnectOptions = { timeoutMs?: number; fetch?: typeof fetch; signal?: AbortSignal };

/** One-click connect: the shop gets its key, and nobody copies it. */
export async function startConnect(baseUrl: string, shop: Shop): Promise<ConnectStarted> {
  const base_url = originOf(baseUrl);
  const [state, code_verifier] = [randomText(), randomText()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier));
  const query = new URLSearchParams({
    shop_name: shop.shop_name,
    return_url: shop.return_url,
    webhook_url: shop.webhook_url,
    state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  return { url: `${base_url}/connect?${query}`, base_url, return_url: shop.return_url, state, code_verifier };
}

/**
 * Call it when the owner's browser is back. `kept` is the result of startConnect (delete it first), `query` the
 * return's parameters. Throws a MilaanError with code access_denied if the owner refused, and wrong_state if this is no
 * answer to your request.
 */
export async function finishConnect(
  kept: Omit<ConnectStarted, 'url'>,
  query: URLSearchParams,
  { timeoutMs = 10_000, fetch = (input, init) => globalThis.fetch(input, init), signal }: ConnectOptions = {},
): Promise<Credentials> {
  const { base_url, return_url, state, code_verifier } = kept;
  const given = (name: string) => query.get(name) ?? '';
  if (state === '' || !isSame(given('state'), state))
    throw refusal('wrong_state', 'this is not the answer to the question that was asked; connect again');
  if (given('iss').replace(/\/+$/, '') !== base_url)
    throw refusal('wrong_state', `the answer is from ${given('iss')} and not from ${base_url}`);
  if (given('error') !== '') throw refusal(given('error'), 'the owner did not agree');
  // Never retried: a repeated code ends the connection that it made.
  const connection = { origin: base_url, apiKey: null, timeoutMs, retries: 0, longestPauseMs: 0, fetch };
  const body = { code: given('code'), code_verifier, return_url };
  const call = { method: 'POST', path: '/connect/token', body } as const;
  return (await callApi(connection, call, signal ? { signal } : {})) as Credentials;
}

function refusal(code: string, message: string): MilaanError {
  return new MilaanError({ code, message, attempts: 0 });
}

/** Takes the same time whichever letter differs, so that timing reveals nothing. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

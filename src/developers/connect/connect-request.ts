import { isStorable } from '../../base/http/text.ts';
import { checkDestination } from '../../base/network/check-destination.ts';
import { longestUrl } from '../../base/network/parse-destination.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';

export type ConnectRequest = {
  shopName: string;
  /** Kept byte for byte, because the browser returns to exactly this address. */
  returnUrl: string;
  webhookUrl: string;
  state: string;
  codeChallenge: string;
};

/** The parameters' names, both in the address and in the consent form. */
export const connectParameters = [
  'shop_name',
  'return_url',
  'webhook_url',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;
export type ConnectParameter = (typeof connectParameters)[number];

/** The shop's name becomes the key's name, so it has the same limit. */
const longestShopName = 60;

/** Names that we add to the return address. A shop's own parameter with such a name could be mistaken for ours. */
const ours = ['code', 'state', 'iss', 'error'];

/** Returns the request, or the first unusable parameter. `given` is empty for one that is missing or repeated. */
export async function readConnectRequest(
  world: Pick<World, 'config' | 'dns' | 'clock'>,
  given: (name: ConnectParameter) => string,
): Promise<{ request: ConnectRequest } | { problem: ConnectParameter }> {
  const shopName = readName(given('shop_name'), longestShopName);
  const [returnUrl, webhookUrl, state] = [given('return_url'), given('webhook_url'), given('state')];
  const codeChallenge = given('code_challenge');
  if (shopName === null) return { problem: 'shop_name' };
  const back = usableReturn(world.config, returnUrl);
  if (!back) return { problem: 'return_url' };
  if (!/^[A-Za-z0-9._~-]{16,200}$/.test(state)) return { problem: 'state' };
  if (!/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) return { problem: 'code_challenge' };
  // `plain` is refused: anybody who sees the request could then answer for the shop.
  if (given('code_challenge_method') !== 'S256') return { problem: 'code_challenge_method' };
  // Both addresses must be on one host, so that the host shown to the owner is the one that gets everything.
  if (URL.parse(webhookUrl)?.hostname !== back.hostname || webhookUrl.length > longestUrl)
    return { problem: 'webhook_url' };
  // This check is last because it asks DNS.
  if (!isStorable(webhookUrl) || !(await checkDestination(world, webhookUrl)).ok)
    return { problem: 'webhook_url' };
  return { request: { shopName, returnUrl, webhookUrl, state, codeChallenge } };
}

/** Plain http is allowed only in the sandbox, and only to a shop on the owner's own machine. */
function usableReturn({ mode }: World['config'], text: string): URL | null {
  if (text.length > longestUrl || !/^https?:\/\/[\x21-\x7e]+$/.test(text) || /[\\#@<>"'`]/.test(text))
    return null;
  const url = URL.parse(text);
  if (!url || ours.some(name => url.searchParams.has(name))) return null;
  const isLoopback = ['localhost', '127.0.0.1'].includes(url.hostname);
  if (url.protocol === 'https:') return url;
  return mode === 'sandbox' && isLoopback ? url : null;
}

/** Appends our answer to the shop's exact address. `iss` says which installation answered. */
export function returnToShop(
  { baseUrl }: Pick<World, 'baseUrl'>,
  { returnUrl, state }: Pick<ConnectRequest, 'returnUrl' | 'state'>,
  outcome: { code: string } | { error: 'access_denied' },
): string {
  const added = Object.entries({ ...outcome, state, iss: baseUrl }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  // Appended as text, because URLSearchParams would re-encode the shop's own parameters.
  return `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${added.join('&')}`;
}

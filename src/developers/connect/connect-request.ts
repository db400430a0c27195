import { isStorable } from '../../base/http/text.ts';
import { checkDestination } from '../../base/network/check-destination.ts';
import { longestUrl } from '../../base/network/parse-destination.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';

export type ConnectRequest = {
  shopName: string;
  /** As it was sent: the browser goes back to these very bytes. */
  returnUrl: string;
  webhookUrl: string;
  state: string;
  codeChallenge: string;
};

/** Under which names it travels, in the address and in the form of the consent. */
export const connectParameters = [
  'shop_name',
  'return_url',
  'webhook_url',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;
export type ConnectParameter = (typeof connectParameters)[number];

/** Listed as the key's name, and as long as one may be. */
const longestShopName = 60;

/** What we add to the return address ourselves: a shop's own parameter of that name could be taken for ours. */
const ours = ['code', 'state', 'iss', 'error'];

/** Names the first parameter that cannot be used. `given` is empty for one that is missing or was sent twice. */
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
  // No `plain`: with it, whoever sees the question could answer for the shop.
  if (given('code_challenge_method') !== 'S256') return { problem: 'code_challenge_method' };
  // One host, so that the one that the owner is shown is the one that gets everything.
  if (URL.parse(webhookUrl)?.hostname !== back.hostname || webhookUrl.length > longestUrl)
    return { problem: 'webhook_url' };
  // Last, because it asks DNS.
  if (!isStorable(webhookUrl) || !(await checkDestination(world, webhookUrl)).ok)
    return { problem: 'webhook_url' };
  return { request: { shopName, returnUrl, webhookUrl, state, codeChallenge } };
}

/** Plain http only to a shop on the owner's own machine, and only for play money. */
function usableReturn({ mode }: World['config'], text: string): URL | null {
  if (text.length > longestUrl || !/^https?:\/\/[\x21-\x7e]+$/.test(text) || /[\\#@<>"'`]/.test(text))
    return null;
  const url = URL.parse(text);
  if (!url || ours.some(name => url.searchParams.has(name))) return null;
  const isLoopback = ['localhost', '127.0.0.1'].includes(url.hostname);
  if (url.protocol === 'https:') return url;
  return mode === 'sandbox' && isLoopback ? url : null;
}

/** The very address that the shop gave, with our answer behind it. `iss` tells the shop which installation spoke. */
export function returnToShop(
  { baseUrl }: Pick<World, 'baseUrl'>,
  { returnUrl, state }: Pick<ConnectRequest, 'returnUrl' | 'state'>,
  outcome: { code: string } | { error: 'access_denied' },
): string {
  const added = Object.entries({ ...outcome, state, iss: baseUrl }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  // Written into the text, not through URLSearchParams: that would re-encode the shop's own parameters.
  return `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${added.join('&')}`;
}

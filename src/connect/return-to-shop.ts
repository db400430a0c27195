import type { World } from '../world.ts';
import type { ConnectRequest } from './connect-request.ts';

type Outcome = { code: string } | { error: 'access_denied' };

/** The very address that the shop gave, with our answer behind it. `iss` tells the shop which installation spoke. */
export function returnToShop(
  { baseUrl }: Pick<World, 'baseUrl'>,
  { returnUrl, state }: Pick<ConnectRequest, 'returnUrl' | 'state'>,
  outcome: Outcome,
): string {
  const added = Object.entries({ ...outcome, state, iss: baseUrl }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  // Written into the text, not through URLSearchParams: that would re-encode the shop's own parameters.
  return `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}${added.join('&')}`;
}

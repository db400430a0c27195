import { isIP } from 'node:net';

export type PasskeySite = { rpId: string; origin: string };

/** What passkeys are bound to: the host's name. On a bare address browsers have none, so we offer none. */
export function passkeySite(baseUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(baseUrl);
  const bare = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  const secure = protocol === 'https:' || hostname === 'localhost';
  return bare || !secure ? null : { rpId: hostname, origin };
}

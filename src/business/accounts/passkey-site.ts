import { isIP } from 'node:net';

export type PasskeySite = { rpId: string; origin: string };

/** Passkeys are bound to a host name. Returns null for a bare IP address, because browsers support none there. */
export function passkeySite(baseUrl: string): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(baseUrl);
  const bare = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  const secure = protocol === 'https:' || hostname === 'localhost';
  return bare || !secure ? null : { rpId: hostname, origin };
}

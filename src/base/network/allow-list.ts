import type { Config } from '../settings/config.ts';
import { isLoopback, isPublicAddress, parseAddress } from './public-address.ts';

export type DestinationRules = Pick<Config, 'mode' | 'webhookAllow' | 'sandboxPublic' | 'shopPort'>;

/** Returns whether the operator trusts this host by name, so that its addresses may be private. */
export function isTrustedHost(rules: DestinationRules, name: string, port: number): boolean {
  if (rules.mode === 'sandbox' && (rules.sandboxPublic ? isDemoShop(rules, name, port) : isLocalhost(name)))
    return true;
  const { hosts } = rules.webhookAllow;
  const bare = name.includes(':') ? `[${name}]` : name;
  return hosts.has(name) || hosts.has(bare) || hosts.has(`${bare}:${port}`);
}

/** Returns whether we may connect: the address is public, in an allowed range, or loopback in a private sandbox. */
export function isAllowedAddress(rules: DestinationRules, text: string): boolean {
  if (isPublicAddress(text)) return true;
  if (rules.mode === 'sandbox' && !rules.sandboxPublic && isLoopback(text)) return true;
  const address = parseAddress(text);
  if (address === null) return false;
  return rules.webhookAllow.ranges.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  );
}

/** In a public sandbox strangers may reach only the demo shop: other local servers trust local callers. */
function isDemoShop({ shopPort }: DestinationRules, name: string, port: number): boolean {
  return name === '127.0.0.1' && port === shopPort;
}

export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

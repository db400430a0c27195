import type { World } from '../world.ts';
import { isAllowedAddress, isLocalhost } from './allow-list.ts';
import type { Host } from './parse-destination.ts';

/** The name resolves to an address that must not be called. The address itself is told to nobody. */
export class RefusedAddress extends Error {
  constructor() {
    super('the host resolves to an address that is not public');
  }
}

/**
 * The addresses of a host, asked anew each time and all judged: one private answer among public ones refuses the
 * whole, because the answer's owner decides which one a client would pick. Nothing is remembered here: whoever
 * dials must dial what this call returned, so a name that changes its answer (rebinding) gains nothing.
 * Throws DnsError or RefusedAddress.
 */
export async function checkedAddresses(
  { dns, config }: Pick<World, 'dns' | 'config'>,
  host: Host,
): Promise<string[]> {
  // `localhost` gets here only when it was allowed; it means this machine, whatever a DNS server says (RFC 6761).
  if (!host.isLiteral && isLocalhost(host.name)) return ['127.0.0.1', '::1'];
  const addresses = host.isLiteral ? [host.name] : await dns.lookupAddresses(host.name);
  if (!host.isTrusted && !addresses.every(address => isAllowedAddress(config, address))) {
    throw new RefusedAddress();
  }
  return addresses;
}

import type { World } from '../world.ts';
import { isAllowedAddress, isLocalhost } from './allow-list.ts';
import type { Host } from './parse-destination.ts';

/** The name resolves to a forbidden address. The message must not contain the address. */
export class RefusedAddress extends Error {
  constructor() {
    super('the host resolves to an address that is not public');
  }
}

/**
 * Resolves a host again each time and checks all answers. One private address refuses all, because the owner of the
 * answer decides which one a client picks. Nothing is cached: the caller must dial exactly these addresses, so changing
 * the answer (DNS rebinding) gains nothing. Throws DnsError or RefusedAddress.
 */
export async function checkedAddresses(
  { dns, config }: Pick<World, 'dns' | 'config'>,
  host: Host,
): Promise<string[]> {
  // `localhost` only gets here if it is allowed. It means this machine, whatever a DNS server says (RFC 6761).
  if (!host.isLiteral && isLocalhost(host.name)) return ['127.0.0.1', '::1'];
  const addresses = host.isLiteral ? [host.name] : await dns.lookupAddresses(host.name);
  if (!host.isTrusted && !addresses.every(address => isAllowedAddress(config, address))) {
    throw new RefusedAddress();
  }
  return addresses;
}

import ipaddr from 'ipaddr.js';

/**
 * Whether an address belongs to the public internet (R11). An allow rule, not the absence from a list: an address
 * must be proven global unicast, and whatever is odd, unknown or a wrapping of another address is not.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === null) return false;
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && !isPlatformAddress(address);
  // Outside 2000::/3 nothing is global unicast: that alone shuts out ::/96, mapped addresses, NAT64 and ULA.
  // Inside it, the library names what is special: 6to4, Teredo, benchmarking, documentation, ORCHID, 2001::/23.
  return address.match(globalUnicast, 3) && address.range() === 'unicast';
}

const globalUnicast = ipaddr.IPv6.parse('2000::');

/** Public by number, but inside Microsoft's cloud it is the host's own control service. */
const platformAddresses = ['168.63.129.16'];

function isPlatformAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return platformAddresses.includes(address.toString());
}

/** Strict: four decimal parts, or IPv6 without a zone. Octal, hex and short forms are not addresses here. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes('%') && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return null;
}

export function isLoopback(text: string): boolean {
  return parseAddress(text)?.range() === 'loopback';
}

/** Two spellings of one address; a dual-stack socket reports an IPv4 peer in its mapped form. */
export function isSameAddress(one: string, other: string): boolean {
  if (one === other && parseAddress(one) !== null) return true;
  return ipaddr.isValid(one) && ipaddr.isValid(other) && plain(one) === plain(other);
}

function plain(text: string): string {
  return ipaddr.process(text).toNormalizedString();
}

import ipaddr from 'ipaddr.js';

/**
 * Returns whether an address is on the public internet (R11). This is an allow rule, not a deny list. An address must
 * be proven global unicast; anything odd, unknown or wrapping another address is refused.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === null) return false;
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && !isPlatformAddress(address);
  // Nothing outside 2000::/3 is global unicast. This alone excludes ::/96, mapped addresses, NAT64 and ULA. Inside,
  // the library knows the special ranges: 6to4, Teredo, benchmarking, documentation, ORCHID, 2001::/23.
  return address.match(globalUnicast, 3) && address.range() === 'unicast';
}

const globalUnicast = ipaddr.IPv6.parse('2000::');

/** A public number, but inside Microsoft's cloud it is the host's control service. */
const platformAddresses = ['168.63.129.16'];

function isPlatformAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return platformAddresses.includes(address.toString());
}

/** Strict: four decimal parts, or IPv6 without a zone. Octal, hex and short forms are refused. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes('%') && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return null;
}

export function isLoopback(text: string): boolean {
  return parseAddress(text)?.range() === 'loopback';
}

/** Compares two spellings. A dual-stack socket reports an IPv4 peer in mapped form. */
export function isSameAddress(one: string, other: string): boolean {
  if (one === other && parseAddress(one) !== null) return true;
  return ipaddr.isValid(one) && ipaddr.isValid(other) && plain(one) === plain(other);
}

function plain(text: string): string {
  return ipaddr.process(text).toNormalizedString();
}

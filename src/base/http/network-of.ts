import ipaddr from 'ipaddr.js';

/**
 * What counts as one caller. Whoever has one IPv6 address has a whole /64 of them; and an IPv4 address that a
 * dual-stack socket or proxy wrote in its mapped form is that IPv4 address, not a part of one great ::/64.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : parsed.parts.slice(0, 4).join(':');
}

/** The /48 that a provider gives to a house or a company, or a carrier to a region; null for IPv4. */
export function wideNetworkOf(address: string): string | null {
  const network = networkOf(address);
  return network.includes(':') ? network.split(':').slice(0, 3).join(':') : null;
}

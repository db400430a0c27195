import ipaddr from 'ipaddr.js';

/** An IPv6 user has a whole /64, so it counts as one caller. A mapped IPv4 address counts as IPv4, not as ::/64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : parsed.parts.slice(0, 4).join(':');
}

/** The /48 that a provider gives to a customer, or a carrier to a region; null for IPv4. */
export function wideNetworkOf(address: string): string | null {
  const network = networkOf(address);
  return network.includes(':') ? network.split(':').slice(0, 3).join(':') : null;
}

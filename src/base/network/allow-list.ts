import ipaddr from 'ipaddr.js';
import type { Config } from '../settings/config.ts';
import { StartError } from '../start-error.ts';
import { isLoopback, isPublicAddress, parseAddress } from './public-address.ts';

export type DestinationRules = Pick<Config, 'mode' | 'webhookAllow' | 'sandboxPublic' | 'shopPort'>;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
type AllowList = { hosts: ReadonlySet<string>; ranges: readonly Range[] };

/** Returns whether the operator trusts this host by name, so that its addresses may be private. */
export function isTrustedHost(rules: DestinationRules, name: string, port: number): boolean {
  if (rules.mode === 'sandbox' && (rules.sandboxPublic ? isDemoShop(rules, name, port) : isLocalhost(name)))
    return true;
  const { hosts } = allowList(rules.webhookAllow);
  const bare = name.includes(':') ? `[${name}]` : name;
  return hosts.has(name) || hosts.has(bare) || hosts.has(`${bare}:${port}`);
}

/** Returns whether we may connect: the address is public, in an allowed range, or loopback in a private sandbox. */
export function isAllowedAddress(rules: DestinationRules, text: string): boolean {
  if (isPublicAddress(text)) return true;
  if (rules.mode === 'sandbox' && !rules.sandboxPublic && isLoopback(text)) return true;
  const address = parseAddress(text);
  if (address === null) return false;
  return allowList(rules.webhookAllow).ranges.some(
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

const parsed = new WeakMap<readonly string[], AllowList>();

function allowList(entries: readonly string[]): AllowList {
  let list = parsed.get(entries);
  if (!list) {
    list = parseAllowList(entries);
    parsed.set(entries, list);
  }
  return list;
}

/** Entries are `host`, `host:port`, an address or a range such as `10.0.0.0/8`. A wrong entry stops the start. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const ranges: Range[] = [];
  for (const entry of entries) {
    const range = parseRange(entry);
    if (range) ranges.push(range);
    else hosts.add(parseHostEntry(entry));
  }
  return { hosts, ranges };
}

function parseRange(entry: string): Range | null {
  const address = parseAddress(entry);
  if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
  return ipaddr.isValidCIDR(entry) ? (ipaddr.parseCIDR(entry) as Range) : null;
}

function parseHostEntry(entry: string): string {
  const url = /^[^\s/?#@\\]+$/.test(entry) ? URL.parse(`http://${entry}`) : null;
  if (!url || url.hostname === '') {
    throw new StartError(`WEBHOOK_ALLOW: "${entry}" is not a host, host:port, address or range`);
  }
  // The URL parser drops port 80, its scheme's default, but the operator meant only that port.
  const port = url.port || (/:0*80$/.test(entry) ? '80' : '');
  const name = url.hostname.replace(/\.$/, '');
  return port ? `${name}:${port}` : name;
}

import { because, type Reason } from '../../texts/verdicts.ts';
import { type DestinationRules, isAllowedAddress, isTrustedHost } from './allow-list.ts';
import { parseAddress } from './public-address.ts';

/** A host that may be resolved. Its addresses are not checked yet. */
export type Host = {
  /** A name without a trailing dot, or an address without brackets. */
  name: string;
  port: number;
  isLiteral: boolean;
  /** The operator allowed this host by name, so its addresses may be private. */
  isTrusted: boolean;
};

export type ParsedDestination = { ok: true; url: URL; host: Host } | { ok: false; reason: Reason };
export type ParsedHost = { ok: true; host: Host } | { ok: false; reason: Reason };

/** §4.1: in code points; used for every address that somebody enters. */
export const longestUrl = 500;
const mostHostLength = 253;
const privateSuffixes = ['.localhost', '.internal', '.local', '.home.arpa'];

/** Checks everything about a webhook_url that needs no DNS (§4.1), so that create refuses it early and cheaply. */
export function parseWebhookUrl(text: string, rules: DestinationRules): ParsedDestination {
  // A code point has at most two UTF-16 units. Check this first, so that a huge text is never scanned.
  if (text.length > 2 * longestUrl || [...text].length > longestUrl) {
    return refuse(because('url_too_long', { most: longestUrl }));
  }
  if (!text.isWellFormed() || misleadsReaders(text)) return refuse(because('url_has_spaces'));
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  const url = authority === undefined ? null : URL.parse(text);
  if (authority === undefined || !url) return refuse(because('url_not_absolute'));
  if (authority.includes('@') || url.username || url.password) {
    return refuse(because('url_has_password'));
  }
  const parsed = judgeHost(url.hostname, portOf(url), rules);
  return parsed.ok ? { ok: true, url, host: parsed.host } : parsed;
}

/**
 * The URL parser drops tabs and line breaks, trims, and treats a backslash as a slash. Two programs could then see two
 * hosts in one text. Direction marks show a person another host. All of this is refused, not repaired.
 */
export function misleadsReaders(url: string): boolean {
  return /[\u0000-\u0020\u007f-\u00a0\\\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\s/u.test(url);
}

/** Applies the same rules to a host and port without a URL, such as a merchant's IMAP server. */
export function parseHost(text: string, port: number, rules: DestinationRules): ParsedHost {
  const literal = parseAddress(text)?.kind() === 'ipv6' ? `[${text}]` : text;
  const isPlain = /^(?:[^\s\u0000-\u0020\u007f-\u00a0/?#@\\:[\]%]+|\[[0-9a-f:.]+\])$/iu.test(literal);
  const url = isPlain && text.isWellFormed() ? URL.parse(`http://${literal}/`) : null;
  if (!url) return refuse(because('not_a_host_name'));
  return judgeHost(url.hostname, port, rules);
}

/** Deliveries are counted per called host. */
export function destinationOf(text: string): string {
  return (URL.parse(text)?.hostname ?? '').replace(/\.$/, '').slice(0, mostHostLength) || 'unknown';
}

/** `hostname` comes from the URL parser: lower case, in IDNA form, with one notation for IPv4. */
function judgeHost(hostname: string, port: number, rules: DestinationRules): ParsedHost {
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isLiteral = parseAddress(name) !== null;
  const host = { name, port, isLiteral, isTrusted: isTrustedHost(rules, name, port) };
  if (port < 1 || port > 65535) return refuse(because('port_zero'));
  if (!isLiteral && !isHostName(name)) return refuse(because('invalid_host'));
  if (host.isTrusted) return { ok: true, host };
  if (isLiteral) {
    return isAllowedAddress(rules, name) ? { ok: true, host } : refuse(because('private_address'));
  }
  if (!name.includes('.')) return refuse(because('single_label'));
  const suffix = privateSuffixes.find(end => name.endsWith(end) || name === end.slice(1));
  return suffix ? refuse(because('private_suffix', { suffix })) : { ok: true, host };
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** Stricter than the URL parser, which accepts `a..b` and `*`. */
function isHostName(name: string): boolean {
  return name.length <= mostHostLength && name.split('.').every(label => /^[a-z0-9_-]{1,63}$/.test(label));
}

function refuse(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason };
}

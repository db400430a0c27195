import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPort, type Reader } from './config-values.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
export type AllowList = { hosts: ReadonlySet<string>; ranges: readonly Range[] };

/** Entries are `host`, `host:port`, an address or a range such as `10.0.0.0/8`. */
export function readAllowList({ list, complain }: Pick<Reader, 'list' | 'complain'>): AllowList {
  const hosts = new Set<string>();
  const ranges: Range[] = [];
  for (const entry of list('WEBHOOK_ALLOW')) {
    const range = parseRange(entry);
    const host = range ? null : parseHostEntry(entry);
    if (range) ranges.push(range);
    else if (host) hosts.add(host);
    else complain(`WEBHOOK_ALLOW: "${entry}" is not a host, host:port, address or range`);
  }
  return { hosts, ranges };
}

function parseRange(entry: string): Range | null {
  const [, text = entry, bits] = /^([^/%]+)\/(\d{1,3})$/.exec(entry) ?? [];
  // The library alone would read `10.1` as an address too.
  if (isIP(text) === 0 || text.includes('%')) return null;
  const address = ipaddr.parse(text);
  const most = address.kind() === 'ipv4' ? 32 : 128;
  return Number(bits ?? most) <= most ? [address, Number(bits ?? most)] : null;
}

function parseHostEntry(entry: string): string | null {
  const url = /^[^\s/?#@\\*]+$/.test(entry) ? URL.parse(`http://${entry}`) : null;
  if (!url || url.hostname === '') return null;
  // The URL parser drops port 80, its scheme's default, but the operator meant only that port.
  const port = url.port || (/:0*80$/.test(entry) ? '80' : '');
  if (port !== '' && !isPort(port)) return null;
  const name = url.hostname.replace(/\.$/, '');
  return port ? `${name}:${port}` : name;
}

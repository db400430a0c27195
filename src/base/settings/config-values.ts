import { createECDH, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { chosenKinds, type KeepBounds, mostKeepDays, whatIsKept } from '../retention.ts';
import { parseKeyRing } from '../secrets.ts';
import type { Environment } from './find-settings.ts';

export type Reader = ReturnType<typeof openReader>;

/** Reads settings by name. A wrong value becomes a problem in a sentence that names the setting. */
export function openReader(env: Environment, complain: (problem: string) => void) {
  const known = new Set<string>();
  /** The trimmed text; null if unset or empty. */
  const text = (name: string) => {
    known.add(name);
    return env[name]?.trim() || null;
  };
  return {
    complain,
    known,
    text,
    /** A text of this form; `rule` ends the sentence that begins with the name. */
    form(name: string, form: { test(value: string): boolean }, rule: string): string | null {
      const value = text(name);
      if (value !== null && !form.test(value)) complain(`${name} ${rule}`);
      return value;
    },
    number(
      name: string,
      usual: number,
      least: number,
      most: number,
      value = text(name) ?? `${usual}`,
    ): number {
      const number = Number(value);
      if (/^\d{1,9}$/.test(value) && number >= least && number <= most) return number;
      complain(`${name} must be a whole number from ${least} to ${most}, not "${value}"`);
      return least;
    },
    yes(name: string): boolean {
      const value = text(name) ?? 'no';
      if (value !== 'yes' && value !== 'no') complain(`${name} must be yes or no`);
      return value === 'yes';
    },
    choice<Choice extends string>(name: string, usual: Choice, allowed: readonly Choice[]): Choice {
      const choice = allowed.find(one => one === (text(name) ?? usual));
      if (choice === undefined) complain(`${name} must be one of ${allowed.join(', ')}`);
      return choice ?? allowed[0]!;
    },
    list: (name: string): string[] =>
      (text(name) ?? '')
        .split(',')
        .map(item => item.trim())
        .filter(item => item !== ''),
    /** The content of the file that the setting names; null if there is none. */
    file(name: string): Buffer | null {
      const path = text(name);
      if (path === null) return null;
      try {
        return readFileSync(path);
      } catch (error) {
        complain(`${name} cannot be read: ${(error as Error).message}`);
        return null;
      }
    },
  };
}

/** Reads `address` or `address:port`, with brackets for IPv6 with a port. */
export function dnsServers({ list, complain }: Reader): readonly string[] {
  const servers = list('DNS_SERVERS');
  for (const server of servers) {
    const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(server);
    const [, address = server, port = '53'] = bracketed ?? /^([^:]+):(\d{1,5})$/.exec(server) ?? [];
    if (isIP(address) === 0 || !isPort(port))
      complain(`DNS_SERVERS must be addresses such as 9.9.9.9 or 127.0.0.1:53, not "${server}"`);
  }
  return servers;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns whether no other machine can reach this host. Any other name may lead anywhere. */
export function isThisMachine(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

export function isPort(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= 65_535;
}

/** Requires PEM certificates: Node silently ignores a file without any, and then every mailbox would fail. */
export function certificates(name: string, { file, complain }: Reader): string | null {
  const text = file(name)?.toString('utf8') ?? null;
  if (text === null) return null;
  try {
    const found = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    if (found.length === 0) throw new Error('it holds none');
    for (const pem of found) new X509Certificate(pem);
  } catch (error) {
    complain(`${name} must hold certificates in PEM form: ${(error as Error).message}`);
  }
  return text;
}

/** A private key of P-256: almost any 32 random bytes. */
export function pushKey({ text, complain }: Reader): Buffer | null {
  const value = text('PUSH_KEY');
  if (value === null) return null;
  try {
    const ring = parseKeyRing(value);
    if ('problem' in ring || ring.keys.length !== 1) throw new Error('it is no such key');
    const [key] = ring.keys;
    createECDH('prime256v1').setPrivateKey(key!);
    return key!;
  } catch {
    complain(
      'PUSH_KEY must be one key of 32 random bytes in hex or base64, as openssl rand -base64 32 prints them',
    );
    return null;
  }
}

/** Reads `raw_mails=30-400,claims=7-90`. Below the table's floors, undecided data could be deleted. */
export function keepBounds({ list, complain }: Reader): KeepBounds {
  const bounds = Object.fromEntries(
    chosenKinds.map(kind => [kind, { floor: whatIsKept[kind].floor, ceiling: null }]),
  ) as KeepBounds;
  for (const entry of list('KEEP_DAYS')) {
    const [, name = '', from = '', to = ''] = /^(\w+)=(\d{1,5})-(\d{0,5})$/.exec(entry) ?? [];
    const kind = chosenKinds.find(one => one === name);
    const floor = Number(from);
    const ceiling = to === '' ? null : Number(to);
    if (kind === undefined) {
      complain(
        `KEEP_DAYS must look like raw_mails=30-400,claims=7- (of ${chosenKinds.join(', ')}), not "${entry}"`,
      );
    } else if (floor < whatIsKept[kind].floor || floor > (ceiling ?? mostKeepDays)) {
      complain(
        `KEEP_DAYS: ${kind} must start at ${whatIsKept[kind].floor} days or more, and not end before it starts`,
      );
    } else bounds[kind] = { floor, ceiling };
  }
  return bounds;
}

import { createPublicKey, type KeyObject } from 'node:crypto';
import { BoundedMap } from '../../base/bounded-map.ts';
import { parseTags } from './parse-signature.ts';

/** A key that signatures can be held against, or what is wrong with its record. */
export type SigningKey =
  | {
      readonly flaw?: undefined;
      readonly key: KeyObject;
      readonly kind: 'rsa' | 'ed25519';
      /** t=y: its owner only tries it out. */
      readonly testing: boolean;
      /** t=s: i= may name no domain below d=. */
      readonly exact: boolean;
    }
  | { readonly flaw: string; readonly key?: undefined };

/** RFC 8301 §3.2; some banks still sign with 1024 bits. */
const [minKeyBits, mostKeyBits] = [1024, 4096];
const mostExponent = 2n ** 32n - 1n;
const mostKept = 200;
const kept = new BoundedMap<string, SigningKey>(mostKept);

/** A key record (RFC 6376 §3.6.1, RFC 8463 §4), taken apart once however many mails it signed. */
export function readKey(record: string): SigningKey {
  const known = kept.get(record);
  if (known) return known;
  const fresh = keyFrom(record);
  kept.set(record, fresh);
  return fresh;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

function keyFrom(record: string): SigningKey {
  const tags = parseTags(withoutSpace(record));
  const encoded = tags?.get('p') ?? '';
  if (tags === null || encoded === '' || !base64.test(encoded)) return { flaw: 'invalid public key' };
  const version = tags.get('v');
  if (version !== undefined && (version !== 'DKIM1' || tags.keys().next().value !== 'v'))
    return { flaw: 'unknown key version' };
  const listed = (name: string) => tags.get(name)?.toLowerCase().split(':');
  if (listed('s')?.every(one => one !== 'email' && one !== '*')) return { flaw: 'key not for email' };
  if (listed('h')?.includes('sha256') === false) return { flaw: 'inappropriate hash algorithm' };

  const kind = tags.get('k')?.toLowerCase() ?? 'rsa';
  const der = Buffer.from(encoded, 'base64');
  const key = openKey(der, kind);
  if (key === null || (kind !== 'rsa' && kind !== 'ed25519') || key.asymmetricKeyType !== kind)
    return { flaw: 'unknown key type' };
  if (kind === 'ed25519' && der.length !== 32) return { flaw: 'invalid public key' };
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (kind === 'rsa' && modulusLength < minKeyBits) return { flaw: 'weak key' };
  // With an exponent of 1 a signature is its own plain text, and anybody writes it; a huge one costs a judge a second.
  const isUsual = modulusLength <= mostKeyBits && publicExponent >= 3n && publicExponent <= mostExponent;
  if (kind === 'rsa' && !isUsual) return { flaw: 'unknown key type' };
  const flags = listed('t') ?? [];
  return { key, kind, testing: flags.includes('y'), exact: flags.includes('s') };
}

/** DNS records are cut and joined anywhere, and nothing in them is told by its white space. */
function withoutSpace(record: string): string {
  return record.replace(/\s+/g, '');
}

/** An empty p= is the owner's word that the key counts no more (RFC 6376 §3.6.1). */
export function isWithdrawn(record: string): boolean {
  return /(?:^|;)p=(?:;|$)/.test(withoutSpace(record));
}

const ed25519Head = Buffer.from('302a300506032b6570032100', 'hex');

/** An RSA key stands bare (RFC 6376) or within the name of its kind, as all publish it; one of Ed25519 stands bare. */
function openKey(der: Buffer, kind: string): KeyObject | null {
  const isBareEd25519 = kind === 'ed25519' && der.length === 32;
  const first = der[1]! < 0x80 ? 2 : 2 + (der[1]! & 0x7f);
  const isBareRsa = der[0] === 0x30 && der[first] === 0x02;
  try {
    return createPublicKey({
      key: isBareEd25519 ? Buffer.concat([ed25519Head, der]) : der,
      format: 'der',
      type: isBareRsa && !isBareEd25519 ? 'pkcs1' : 'spki',
    });
  } catch {
    return null;
  }
}

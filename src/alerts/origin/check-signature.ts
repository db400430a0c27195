import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { BoundedMap } from '../../base/bounded-map.ts';
import type { HeaderField } from '../mail/split-headers.ts';
import { parseTags, type SignatureTags } from './parse-signature.ts';

export type Checked = {
  /** Why the signature is invalid, in a few words; null if it is valid. */
  readonly failure: string | null;
  /** The headers as they were signed, latin1. */
  readonly canonical: string;
  /** Null if the record has no usable key, or was not read. */
  readonly key: KeyObject | null;
  readonly testing: boolean;
  /** Its form breaks the RFC, even if it is valid. */
  readonly odd: boolean;
};

/** The drill `mutate` replaces this check with a library's: both must give the same result. */
export type SignatureCheck = (
  fields: readonly HeaderField[],
  tags: SignatureTags,
  record: string,
  body: CanonicalBody,
) => Checked | Promise<Checked>;

/** Checks one signature with one key (RFC 6376 §6.1, RFC 8463 §3): grammar and mathematics, without our own rules. */
export const checkSignature: SignatureCheck = (fields, tags, record, body) => {
  const canonical = canonicaliseHeaders(fields, tags);
  const found = readKey(record);
  const flaw = tags.flaw ?? (body.hash === tags.bodyHash ? null : 'body hash did not verify');
  if (flaw !== null || found.flaw !== undefined)
    return { failure: flaw ?? found.flaw!, canonical, key: null, testing: false, odd: tags.oddNames };
  const { key, testing } = found;
  return { failure: misfit(canonical, tags, found), canonical, key, testing, odd: tags.oddNames };
};

function misfit(
  canonical: string,
  tags: SignatureTags,
  { key, kind, exact }: SigningKey & { flaw?: undefined },
): string | null {
  if (tags.algorithm !== `${kind}-sha256`) return 'inappropriate key algorithm';
  if (exact && !tags.identityIsDomain) return 'domain mismatch';
  const bytes = Buffer.from(canonical, 'latin1');
  try {
    const fits =
      kind === 'rsa'
        ? verify('sha256', bytes, key, tags.signature)
        : verify(null, createHash('sha256').update(bytes).digest(), key, tags.signature);
    return fits ? null : 'bad signature';
  } catch (error) {
    return (error as Error).message;
  }
}

export type SigningKey =
  | {
      readonly flaw?: undefined;
      readonly key: KeyObject;
      readonly kind: 'rsa' | 'ed25519';
      /** t=y: its owner is only testing it. */
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

/** A key record (RFC 6376 §3.6.1, RFC 8463 §4), parsed once for all mails that it signed. */
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
  // With an exponent of 1 anybody can write a signature; a huge exponent costs a judge a second.
  const isUsual = modulusLength <= mostKeyBits && publicExponent >= 3n && publicExponent <= mostExponent;
  if (kind === 'rsa' && !isUsual) return { flaw: 'unknown key type' };
  const flags = listed('t') ?? [];
  return { key, kind, testing: flags.includes('y'), exact: flags.includes('s') };
}

/** DNS may split and join records anywhere, so white space in them means nothing. */
function withoutSpace(record: string): string {
  return record.replace(/\s+/g, '');
}

/** With an empty p= the owner withdraws the key (RFC 6376 §3.6.1). */
export function isWithdrawn(record: string): boolean {
  return /(?:^|;)p=(?:;|$)/.test(withoutSpace(record));
}

const ed25519Head = Buffer.from('302a300506032b6570032100', 'hex');

/** An RSA key is bare (RFC 6376) or wrapped with its algorithm's name, as all publish it. An Ed25519 key is bare. */
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

/**
 * The exact bytes that a signature covers, latin1 (RFC 6376 §3.4 and §3.7): each name in h= takes the lowest remaining
 * field, and the signature itself comes last without its b= value. A name without a field adds nothing, so a field
 * added later breaks the signature.
 */
export function canonicaliseHeaders(fields: readonly HeaderField[], tags: SignatureTags): string {
  const canonical = tags.headerCanon === 'relaxed' ? relaxed : (field: HeaderField) => field.raw;
  const left = Map.groupBy(fields, field => field.name);
  const signed = tags.signedNames.flatMap(name => left.get(name)?.pop() ?? []);
  return signed.map(field => `${canonical(field)}\r\n`).join('') + withoutSignature(canonical(tags.field));
}

function relaxed({ name, raw }: HeaderField): string {
  const value = raw
    .slice(raw.indexOf(':') + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ');
  return `${name}:${value.replace(/^ | $/g, '')}`;
}

/** No tag is repeated or contains a semicolon, so the removed b is the one that was read. */
function withoutSignature(line: string): string {
  const colon = line.indexOf(':') + 1;
  const specs = line.slice(colon).split(';');
  const kept = specs.map(spec => (/^\s*b\s*=/.test(spec) ? spec.slice(0, spec.indexOf('=') + 1) : spec));
  return line.slice(0, colon) + kept.join(';');
}

/**
 * The body exactly as the signature's hash covers it (RFC 6376 §3.4.3, §3.4.4). The alert is read from these bytes.
 * Relaxed canonicalisation lets a relay add or widen blanks. If reading depended on such blanks (a quoted-printable
 * soft break, a boundary), it would depend on unsigned bytes.
 */
export function canonicaliseBody(body: Buffer, canon: 'relaxed' | 'simple'): Buffer {
  let text = body.toString('latin1');
  if (canon === 'relaxed')
    text = text
      .replace(/[ \t]+/g, ' ')
      .replaceAll(' \r\n', '\r\n')
      .replace(/ $/, '');

  let end = text.length;
  while (text.endsWith('\r\n', end)) end -= 2;
  const trimmed = text.slice(0, end);
  return Buffer.from(trimmed === '' && canon === 'relaxed' ? '' : `${trimmed}\r\n`, 'latin1');
}

/** A body in the signed form, with the hash (SHA-256, base64) that a signature's bh= must have. */
export type CanonicalBody = { readonly bytes: Buffer; readonly hash: string };
export type CanonicalBodies = (canon: 'relaxed' | 'simple') => CanonicalBody;

/** Both forms of one body; each is made only once for all signatures. */
export function canonicalBodies(body: Buffer): CanonicalBodies {
  const made = new Map<string, CanonicalBody>();
  return canon => {
    const known = made.get(canon);
    if (known) return known;
    const bytes = canonicaliseBody(body, canon);
    const fresh = { bytes, hash: createHash('sha256').update(bytes).digest('base64') };
    made.set(canon, fresh);
    return fresh;
  };
}

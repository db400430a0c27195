import { createHash } from 'node:crypto';
import type { HeaderField } from '../mail/split-headers.ts';
import type { SignatureTags } from './parse-signature.ts';

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

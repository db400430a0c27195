import { createHash } from 'node:crypto';

/** The tags of one DKIM-Signature as we read them, beside the library's own reading. */
export type SignatureTags = {
  readonly algorithm: string;
  readonly bodyCanon: 'relaxed' | 'simple';
  /** Lower case. */
  readonly domain: string;
  readonly selector: string;
  readonly signedNames: readonly string[];
  readonly bodyHash: string;
  /** l= was given, whatever its value. */
  readonly lengthLimited: boolean;
  /** i= lies in the signing domain, or is absent. */
  readonly identityInDomain: boolean;
  readonly signedAt: Date | null;
  readonly expiresAt: Date | null;
  /** SHA-256 of the signature bytes: the same after refolding, re-casing or a new Message-ID. The replay key. */
  readonly id: string;
};

const tagName = /^[A-Za-z][A-Za-z0-9_]*$/;
const seconds = /^[0-9]{1,12}$/;
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const domainName = new RegExp(`^${label}(?:\\.${label})+$`);
/** Real selectors hold underscores too, though the grammar does not. */
export const selectorName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** Reads a DKIM-Signature value strictly (RFC 6376 §3.2 and §3.5), or null when it is not one. */
export function parseSignature(value: string): SignatureTags | null {
  const tags = parseTags(value);
  if (tags === null || tags.get('v') !== '1') return null;

  const canon = /^(relaxed|simple)(?:\/(relaxed|simple))?$/.exec(tags.get('c') ?? 'simple/simple');
  const domain = tags.get('d')?.toLowerCase() ?? '';
  const selector = tags.get('s') ?? '';
  const signature = withoutBlanks(tags.get('b'));
  const bodyHash = withoutBlanks(tags.get('bh'));
  const signedNames = withoutBlanks(tags.get('h')).toLowerCase().split(':');
  const times = [tags.get('t'), tags.get('x')];
  if (!canon || !domainName.test(domain) || !selectorName.test(selector)) return null;
  if (!isBase64(signature) || !isBase64(bodyHash) || signedNames.includes('')) return null;
  if (times.some(time => time !== undefined && !seconds.test(time))) return null;

  return {
    algorithm: tags.get('a') ?? '',
    bodyCanon: (canon[2] ?? 'simple') as 'relaxed' | 'simple',
    domain,
    selector,
    signedNames,
    bodyHash,
    lengthLimited: [...tags.keys()].some(name => name.toLowerCase() === 'l'),
    identityInDomain: isWithin(tags.get('i'), domain),
    signedAt: moment(times[0]),
    expiresAt: moment(times[1]),
    id: createHash('sha256').update(Buffer.from(signature, 'base64')).digest('hex'),
  };
}

/** One repeated tag makes the whole list void: two readers would take two different ones. */
function parseTags(value: string): Map<string, string> | null {
  if (/[^\x20-\x7e\t]/.test(value)) return null;
  const tags = new Map<string, string>();
  const specs = value.split(';').map(spec => spec.trim());
  if (specs.at(-1) === '') specs.pop();
  for (const spec of specs) {
    const equals = spec.indexOf('=');
    const name = spec.slice(0, Math.max(equals, 0)).trim();
    if (!tagName.test(name) || tags.has(name)) return null;
    tags.set(name, spec.slice(equals + 1).trim());
  }
  return tags;
}

function withoutBlanks(value: string | undefined): string {
  return (value ?? '').replace(/[ \t]+/g, '');
}

function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

function isWithin(identity: string | undefined, domain: string): boolean {
  if (identity === undefined) return true;
  const host = identity.slice(identity.lastIndexOf('@') + 1).toLowerCase();
  return identity.includes('@') && (host === domain || host.endsWith(`.${domain}`));
}

function moment(time: string | undefined): Date | null {
  return time === undefined ? null : new Date(Number(time) * 1000);
}

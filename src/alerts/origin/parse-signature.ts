import { createHash } from 'node:crypto';
import { type HeaderField, headOf, maxSignatures, type SplitMail } from '../mail/split-headers.ts';

export type SignatureTags = {
  readonly field: HeaderField;
  readonly algorithm: string;
  readonly headerCanon: 'relaxed' | 'simple';
  readonly bodyCanon: 'relaxed' | 'simple';
  /** The domain in lower case. */
  readonly domain: string;
  readonly selector: string;
  readonly signedNames: readonly string[];
  readonly bodyHash: string;
  readonly signature: Buffer;
  /** l= was given, with any value. */
  readonly lengthLimited: boolean;
  /** i= is in the signing domain, or is absent. */
  readonly identityInDomain: boolean;
  /** i= names the signing domain itself, or is absent; a key may require that. */
  readonly identityIsDomain: boolean;
  readonly signedAt: Date | null;
  readonly expiresAt: Date | null;
  /** A violation of RFC 6376 in these tags, in a few words; no key can make it valid. */
  readonly flaw: string | null;
  /** A tag's name has capitals: unknown to the RFC, but a careless reader may take it for `b=` or `d=`. */
  readonly oddNames: boolean;
  /** SHA-256 of the signature bytes, unchanged by refolding, re-casing or a new Message-ID. It is the replay key. */
  readonly id: string;
};

const tagName = /^[A-Za-z][A-Za-z0-9_]*$/;
const seconds = /^[0-9]{1,12}$/;
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const domainName = new RegExp(`^${label}(?:\\.${label})+$`);
/** Real selectors contain underscores, although the grammar forbids them. */
const selectorName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const localPart = new RegExp(`^(?:${atom}(?:\\.${atom})*|"(?:[ !#-\\x5b\\x5d-~]|\\\\[ -~])*")?$`);

export function signaturesOf({ fields }: Pick<SplitMail, 'fields'>): SignatureTags[] {
  return fields.flatMap(field => (field.name === 'dkim-signature' ? (parseSignature(field) ?? []) : []));
}

/** Reads a DKIM-Signature strictly (RFC 6376 §3.2 and §3.5); null if it is none. */
function parseSignature(field: HeaderField): SignatureTags | null {
  const value = field.raw.slice(field.raw.indexOf(':') + 1).replaceAll('\r\n', '');
  const tags = /[^\x20-\x7e\t]/.test(value) ? null : parseTags(value);
  if (tags === null || tags.get('v') !== '1') return null;

  const canon = /^(relaxed|simple)(?:\/(relaxed|simple))?$/.exec(tags.get('c') ?? 'simple/simple');
  const domain = tags.get('d')?.toLowerCase() ?? '';
  const selector = tags.get('s') ?? '';
  const encoded = withoutBlanks(tags.get('b'));
  const bodyHash = withoutBlanks(tags.get('bh'));
  const signedNames = withoutBlanks(tags.get('h')).toLowerCase().split(':');
  const times = [tags.get('t'), tags.get('x')];
  if (!canon || !domainName.test(domain) || !selectorName.test(selector)) return null;
  if (!isBase64(encoded) || !isBase64(bodyHash) || signedNames.includes('')) return null;
  if (times.some(time => time !== undefined && !seconds.test(time))) return null;

  const identity = tags.get('i');
  const host = identity?.slice(identity.lastIndexOf('@') + 1).toLowerCase();
  const signature = Buffer.from(encoded, 'base64');
  const [signedAt, expiresAt] = times.map(moment) as [Date | null, Date | null];
  return {
    field,
    algorithm: tags.get('a') ?? '',
    headerCanon: canon[1] as 'relaxed' | 'simple',
    bodyCanon: (canon[2] ?? 'simple') as 'relaxed' | 'simple',
    domain,
    selector,
    signedNames,
    bodyHash,
    signature,
    lengthLimited: tags.has('l') || tags.has('L'),
    identityInDomain: host === undefined || (identity!.includes('@') && `.${host}`.endsWith(`.${domain}`)),
    identityIsDomain: host === undefined || host === domain,
    signedAt,
    expiresAt,
    flaw: flawOf(tags, signedAt, expiresAt),
    oddNames: [...tags.keys()].some(name => name !== name.toLowerCase()),
    id: createHash('sha256').update(signature).digest('hex'),
  };
}

function flawOf(tags: ReadonlyMap<string, string>, signedAt: Date | null, expiresAt: Date | null) {
  const methods = tags.get('q')?.toLowerCase().split(':');
  if (methods && !methods.some(one => one.trim() === 'dns/txt')) return 'unsupported query method';
  const identity = tags.get('i');
  if (identity !== undefined && !isIdentity(identity)) return 'signature syntax error';
  return signedAt && expiresAt && expiresAt <= signedAt ? 'invalid expiration' : null;
}

/** An ASCII address, or only @ and the domain. The local part may be encoded as in RFC 6376 §2.11. */
function isIdentity(identity: string): boolean {
  const at = identity.lastIndexOf('@');
  const local = withoutBlanks(identity.slice(0, Math.max(at, 0))).replace(/=([0-9A-Fa-f]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return at >= 0 && localPart.test(local) && domainName.test(identity.slice(at + 1));
}

/** A tag-list (RFC 6376 §3.2). A repeated tag makes it invalid: two readers could use different values. */
export function parseTags(value: string): Map<string, string> | null {
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

function moment(time: string | undefined): Date | null {
  return time === undefined ? null : new Date(Number(time) * 1000);
}

const signature = /^dkim-signature:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*/gim;

/** Guesses the key names in a mail's signatures, in lower case. The judge parses the mail and asks for any others. */
export function guessKeyNames(raw: Uint8Array): string[] {
  const head = headOf(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  const fields = head.match(signature)?.slice(0, maxSignatures) ?? [];
  return fields.flatMap(field => {
    const [domain, selector] = ['d', 's'].map(tag => new RegExp(`[;:\\s]${tag}=([\\w.-]+)`).exec(field)?.[1]);
    return domain && selector ? `${selector}._domainkey.${domain}`.toLowerCase() : [];
  });
}

import { createPublicKey, type KeyObject } from 'node:crypto';
import { DkimVerifier } from 'mailauth/lib/dkim/dkim-verifier.js';
import { SELECTOR } from 'mailauth/lib/dkim/syntax.js';
import { parseHeaders } from 'mailauth/lib/tools.js';
import { type HeaderField, joinMail } from '../../src/alerts/mail/split-headers.ts';
import type { SignatureCheck } from '../../src/alerts/origin/check-signature.ts';
import type { SignatureTags } from '../../src/alerts/origin/parse-signature.ts';

// The library, strict, holds a selector to the letter of RFC 6376 §3.1. Real ones have underscores, and DNS knows them.
SELECTOR.test = selector => /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(selector);

/** `c=/relaxed` makes the library throw and stop with the whole mail. We do not read such a signature. */
export function isSafe({ name, raw }: HeaderField): boolean {
  return name !== 'dkim-signature' || !/[;:\s]c\s*=\s*\//.test(raw);
}

/** The library's word on one mail: signature by signature as our own check is asked, and on the whole. */
export function askMailauth(
  body: Buffer,
  records: ReadonlyMap<string, string>,
  arrivedAt: Date,
  note: (rule: string) => void,
) {
  const asked = new Map<readonly HeaderField[], Map<string | null, ReturnType<typeof ask>>>();

  async function ask(fields: readonly HeaderField[], record: string | null) {
    const verifier = new DkimVerifier({
      strict: true,
      minBitLength: 1024,
      curTime: arrivedAt,
      resolver: async (name: string) => {
        const found = record ?? records.get(name.toLowerCase());
        if (found !== undefined) return [[found]];
        throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
      },
    });
    // Without its stream, which cuts a mail at the first empty line, as we did, and takes as long as all the rest.
    await verifier.messageHeaders(parseHeaders(joinMail(fields.filter(isSafe), Buffer.alloc(0))));
    await verifier.nextChunk(body);
    await verifier.finalChunk();
    const { results } = verifier;
    return results;
  }

  /** With one record for every name, or with `null` as the records stand. */
  function resultsOf(fields: readonly HeaderField[], record: string | null) {
    const known = asked.get(fields) ?? new Map<string | null, ReturnType<typeof ask>>();
    asked.set(fields, known);
    const results = known.get(record) ?? ask(fields, record);
    known.set(record, results);
    return results;
  }

  const check: SignatureCheck = async (fields, tags, record) => {
    const name = `${tags.selector}._domainkey.${tags.domain}`.toLowerCase();
    const results = await resultsOf(fields, records.get(name) === record ? null : record);
    const index = fields
      .filter(field => field.name === 'dkim-signature' && isSafe(field))
      .indexOf(tags.field);
    const result = results[index];
    const { status } = result!;
    const isSame = result?.id === tags.id && result.signingDomain?.toLowerCase() === tags.domain;
    const comment = status.policy?.['dkim-rules'] === 'weak-key' ? 'weak key' : status.comment;
    const failure = status.result === 'pass' ? null : comment || 'not valid';
    const key = result?.publicKey ? opened(result.publicKey) : null;
    const stricter = isSame ? stricterThan(failure, tags, record, key) : null;
    if (stricter) note(stricter.rule);
    return {
      failure: isSame ? (stricter?.failure ?? failure) : 'the library read another signature',
      canonical: Buffer.from(result?.signingHeaders?.canonicalizedHeader ?? '', 'base64').toString('latin1'),
      key: stricter ? null : key,
      testing: !stricter && status.testing === true,
      odd: !!status.warnings?.length || result?.canonBodyLengthLimited !== false,
    };
  };
  return { check, resultsOf };
}

const ofTags = [
  'unsupported query method',
  'signature syntax error',
  'invalid expiration',
  'body hash did not verify',
];
const ofRecord = [
  'invalid public key',
  'unknown key version',
  'key not for email',
  'inappropriate hash algorithm',
];

/** Cases that we refuse and mailauth does not, by the RFC or by decision 35. It never accepts more. */
function stricterThan(failure: string | null, tags: SignatureTags, record: string, key: KeyObject | null) {
  const says = (...earlier: string[]) => failure !== null && earlier.includes(failure);
  if (tags.flaw === 'signature syntax error' && !says('unsupported query method', 'signature syntax error'))
    return { failure: tags.flaw, rule: 'i= beyond ASCII before its @, or with blanks or escapes behind it' };
  if (says(...ofTags, ...ofRecord)) return null;
  if (/(?:^|;)k=(?:;|$)/.test(record.replace(/\s+/g, '')))
    return { failure: 'unknown key type', rule: 'k= with nothing behind it' };
  const { modulusLength = 0, publicExponent: exponent = 3n } = key?.asymmetricKeyDetails ?? {};
  return (exponent < 3n || exponent >= 2n ** 32n || modulusLength > 4096) && !says('weak key')
    ? {
        failure: 'unknown key type',
        rule: 'an RSA key beyond 4096 bits, or with an exponent below 3 or beyond 32 bits',
      }
    : null;
}

const known = new Map<string, KeyObject>();

function opened(pem: string): KeyObject {
  if (known.size > 500) known.clear();
  const key = known.get(pem) ?? createPublicKey(pem);
  known.set(pem, key);
  return key;
}

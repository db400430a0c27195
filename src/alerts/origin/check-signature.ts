import { createHash, type KeyObject, verify } from 'node:crypto';
import type { HeaderField } from '../mail/split-headers.ts';
import type { CanonicalBody } from './canonicalise-body.ts';
import { canonicaliseHeaders } from './canonicalise-headers.ts';
import type { SignatureTags } from './parse-signature.ts';
import { readKey, type SigningKey } from './read-key.ts';

/** What was found of one signature with one key. */
export type Checked = {
  /** Why it does not hold, in a few words; null when it does. */
  readonly failure: string | null;
  /** The headers as they were signed, latin1. */
  readonly canonical: string;
  /** Null where the record holds none that could be used, or it was not looked at. */
  readonly key: KeyObject | null;
  readonly testing: boolean;
  /** It is written as the RFC does not allow, even where it holds. */
  readonly odd: boolean;
};

/** The drill `mutate` puts a library in its place: both must find the same. */
export type SignatureCheck = (
  fields: readonly HeaderField[],
  tags: SignatureTags,
  record: string,
  body: CanonicalBody,
) => Checked | Promise<Checked>;

/** One signature held against one key (RFC 6376 §6.1, RFC 8463 §3): grammar and mathematics, none of our own rules. */
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

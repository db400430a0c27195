import { constants, publicDecrypt } from 'node:crypto';
import type { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { because, type Reason } from '../../texts/verdicts.ts';
import { headerValue, type SplitMail } from '../mail/split-headers.ts';
import type { CanonicalBody } from './canonicalise-body.ts';
import type { KeyAnswer } from './key-source.ts';
import type { SignatureTags } from './parse-signature.ts';
import { readSignedHeaders, type SignedHeaders } from './read-signed-headers.ts';
import type { Signer } from './signer.ts';

export type VerifiedOrigin = {
  readonly outcome: 'verified';
  /** Replay key: SHA-256 of the signature bytes. */
  readonly signatureId: string;
  /** Of further valid signatures of the bank on the same mail; stripping the first must not make it a new mail. */
  readonly otherSignatureIds: readonly string[];
  readonly domain: string;
  readonly selector: string;
  /** t= of the signature, which the signature covers. */
  readonly signedAt: Date | null;
  readonly headers: SignedHeaders;
  /** False where the bank leaves the MIME headers unsigned; then only the bank's own MIME shape is read. */
  readonly mimeSigned: boolean;
  readonly contentType: string | null;
  readonly transferEncoding: string | null;
  /** Canonical body: the bytes whose hash is signed. */
  readonly body: Buffer;
  /** The message that verified, after the repair of a Message-ID if one was needed. */
  readonly raw: Buffer;
  readonly key: { readonly name: string; readonly record: string };
};

/**
 * `keyFits`: no other key can change this. `mail`: the mathematics held, and one of our own rules did not. `signature`:
 * the key made the signature, but over other headers than these.
 */
type Forged = {
  readonly outcome: 'forged';
  readonly reason: Reason;
  readonly keyFits?: 'mail' | 'signature';
};

/** `keyDoubted`: there is a key, and it did not make the signature; DNS may be behind, or be lied to. */
export type Retrying = { readonly outcome: 'retrying'; readonly reason: Reason; readonly keyDoubted?: true };

export type Weighed = VerifiedOrigin | Forged | Retrying;

type LibraryResult = Awaited<ReturnType<typeof dkimVerify>>['results'][number];

/** What the library found about one signature, checked against everything it does not ask. */
export function weighSignature(
  mail: SplitMail,
  bank: Signer,
  tags: SignatureTags,
  result: LibraryResult | undefined,
  answers: ReadonlyMap<string, KeyAnswer>,
  body: CanonicalBody,
): Weighed {
  // The library and we must have read the same signature, or one of us was misled.
  if (result?.id !== tags.id || result.signingDomain?.toLowerCase() !== tags.domain)
    return forged(because('signature_ambiguous'));
  const { status } = result;
  const answer = answers.get(keyName(tags));
  if (status.result !== 'pass') return explainFailure(tags, result, answer);

  if (status.testing) return forged(because('testing_key', { domain: tags.domain }));
  if (status.warnings?.length || result.canonBodyLengthLimited !== false || answer?.kind !== 'found')
    return forged(because('breaks_dkim'));
  if (body.hash !== tags.bodyHash) return forged(because('body_changed'));

  const canonical = Buffer.from(result.signingHeaders?.canonicalizedHeader ?? '', 'base64');
  const headers = readSignedHeaders(canonical, tags.signedNames);
  const unsigned = headers && uncovered(mail, bank, tags, headers);
  if (headers === null || unsigned !== null)
    return { ...forged(unsigned ?? because('sender_subject_unsigned')), keyFits: 'mail' };

  const mimeSigned = isMimeSigned(mail, tags, headers);
  return {
    outcome: 'verified',
    signatureId: tags.id,
    otherSignatureIds: [],
    domain: tags.domain,
    selector: tags.selector,
    signedAt: tags.signedAt,
    headers,
    mimeSigned,
    contentType: mimeSigned ? headers.contentType : headerValue(mail, 'content-type'),
    transferEncoding: mimeSigned ? headers.transferEncoding : headerValue(mail, 'content-transfer-encoding'),
    body: body.bytes,
    raw: mail.raw,
    key: { name: keyName(tags), record: answer.record },
  };
}

/** Header fields that are there and that we would have to believe, but that the signature leaves open. */
function uncovered(
  mail: SplitMail,
  bank: Signer,
  tags: SignatureTags,
  headers: SignedHeaders,
): Reason | null {
  if (headerValue(mail, 'to') !== null && headers.to === null) return because('to_unsigned');
  if (headerValue(mail, 'cc') !== null && headers.cc === null) return because('cc_unsigned');
  if (headers.date === null && !bank.dateMayBeUnsigned) return because('date_unsigned');
  if (!isMimeSigned(mail, tags, headers) && bank.unsignedMime === null) return because('encoding_unsigned');
  return null;
}

/** Content-Type must be signed, or signed for as absent: a relay could have taken an unsigned one away. */
function isMimeSigned(mail: SplitMail, tags: SignatureTags, headers: SignedHeaders): boolean {
  const provenAbsent =
    headerValue(mail, 'content-type') === null && tags.signedNames.includes('content-type');
  return (
    (headers.contentType !== null || provenAbsent) &&
    (headerValue(mail, 'content-transfer-encoding') === null || headers.transferEncoding !== null)
  );
}

function explainFailure(
  tags: SignatureTags,
  { status, rr: record, publicKey, signature }: LibraryResult,
  answer: KeyAnswer | undefined,
): Weighed {
  const missing = explainMissingKey(tags, answer);
  if (missing !== null) return missing;
  const comment = status.comment ?? '';
  if (comment === 'body hash did not verify') return forged(because('body_changed'));
  if (comment === 'bad signature' && hasMade(publicKey, signature))
    return { ...forged(because('signature_invalid', { domain: tags.domain })), keyFits: 'signature' };
  if (misfits.includes(comment))
    return {
      ...retrying(because('key_misfit', { name: keyName(tags) })),
      keyDoubted: true,
    };
  if (status.policy?.['dkim-rules'] === 'weak-key')
    return forged(because('key_too_short', { domain: tags.domain }));
  if (comment === 'invalid public key' && /(?:^|;)p=(?:;|$)/.test(record ?? ''))
    return forged(because('key_withdrawn', { domain: tags.domain }));
  // A record that is no key at all is a slip in the bank's DNS, and slips get mended.
  if (comment === 'invalid public key') return retrying(because('key_unusable', { name: keyName(tags) }));
  return forged(because('signature_refused', { domain: tags.domain, comment: comment || 'not valid' }));
}

/** What the library says of a key that is another one than the signer's. Its owner's own word is not among them. */
const misfits = ['bad signature', 'inappropriate key algorithm', 'unknown key type', 'unknown key version'];

/**
 * An RSA signature opens, with the key that made it and no other, to its padding and a hash, whatever became of the
 * headers since. So a mail that was changed on its way is told from one whose key is in doubt, and need not wait.
 */
function hasMade(publicKey: string | undefined, signature: string | undefined): boolean {
  try {
    const key = { key: publicKey ?? '', padding: constants.RSA_PKCS1_PADDING };
    publicDecrypt(key, Buffer.from(signature ?? '', 'base64'));
    return true;
  } catch {
    return false;
  }
}

/** Null when there is a key. A missing one is a passing fault. */
export function explainMissingKey(tags: SignatureTags, answer: KeyAnswer | undefined): Weighed | null {
  if (answer?.kind === 'temporary') return retrying(because('key_not_fetched', { domain: tags.domain }));
  if (answer?.kind === 'not_found') return retrying(because('key_missing', { name: keyName(tags) }));
  return null;
}

export function keyName(tags: SignatureTags): string {
  return `${tags.selector}._domainkey.${tags.domain}`.toLowerCase();
}

function forged(reason: Reason): Forged {
  return { outcome: 'forged', reason };
}

function retrying(reason: Reason): Retrying {
  return { outcome: 'retrying', reason };
}

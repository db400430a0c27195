import { constants, type KeyObject, publicDecrypt } from 'node:crypto';
import { because, type Reason } from '../../texts/verdicts.ts';
import { headerValue, type SplitMail } from '../mail/split-headers.ts';
import { type CanonicalBody, type Checked, isWithdrawn } from './check-signature.ts';
import type { KeyAnswer } from './key-source.ts';
import type { SignatureTags } from './parse-signature.ts';

export type VerifiedOrigin = {
  readonly outcome: 'verified';
  /** The replay key: SHA-256 of the signature bytes. */
  readonly signatureId: string;
  /** The ids of the bank's other valid signatures: without its first one this must not become a new mail. */
  readonly otherSignatureIds: readonly string[];
  readonly domain: string;
  readonly selector: string;
  /** t= of the signature, which the signature covers. */
  readonly signedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly headers: SignedHeaders;
  /** False if the bank leaves the MIME headers unsigned. Then only the bank's own MIME shape is read. */
  readonly mimeSigned: boolean;
  readonly contentType: string | null;
  readonly transferEncoding: string | null;
  /** The canonical body: the bytes whose hash is signed. */
  readonly body: Buffer;
  /** The message that verified, after restoring its Message-ID if that was needed. */
  readonly raw: Buffer;
  readonly key: { readonly name: string; readonly record: string };
};

/**
 * `keyFits`: no other key can change this. `mail`: the mathematics is correct, but one of our own rules failed.
 * `signature`: the key made the signature, but over other headers.
 */
type Forged = {
  readonly outcome: 'forged';
  readonly reason: Reason;
  readonly keyFits?: 'mail' | 'signature';
};

/** `keyDoubted`: the key did not make the signature, or is withdrawn. DNS may be out of date or forged. */
export type Retrying = { readonly outcome: 'retrying'; readonly reason: Reason; readonly keyDoubted?: true };

export type Weighed = VerifiedOrigin | Forged | Retrying;

/** Applies our own rules, which DKIM does not require, to a checked signature. */
export function weighSignature(
  mail: SplitMail,
  bank: Signer,
  tags: SignatureTags,
  checked: Checked,
  record: string,
  body: CanonicalBody,
): Weighed {
  if (checked.failure !== null) return explainFailure(tags, checked, record);
  if (checked.testing) return forged(because('testing_key', { domain: tags.domain }));
  if (checked.odd || tags.lengthLimited) return forged(because('breaks_dkim'));
  if (body.hash !== tags.bodyHash) return forged(because('body_changed'));

  const headers = readSignedHeaders(checked.canonical, tags.signedNames);
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
    expiresAt: tags.expiresAt,
    headers,
    mimeSigned,
    contentType: mimeSigned ? headers.contentType : headerValue(mail, 'content-type'),
    transferEncoding: mimeSigned ? headers.transferEncoding : headerValue(mail, 'content-transfer-encoding'),
    body: body.bytes,
    raw: mail.raw,
    key: { name: keyName(tags), record },
  };
}

/** Header fields that we must trust, but that the signature does not cover. */
function uncovered(mail: SplitMail, bank: Signer, tags: SignatureTags, headers: SignedHeaders) {
  if (headerValue(mail, 'to') !== null && headers.to === null) return because('to_unsigned');
  if (headerValue(mail, 'cc') !== null && headers.cc === null) return because('cc_unsigned');
  if (headers.date === null && !bank.dateMayBeUnsigned) return because('date_unsigned');
  if (!isMimeSigned(mail, tags, headers) && bank.unsignedMime === null) return because('encoding_unsigned');
  return null;
}

/** Content-Type must be signed, or signed as absent: a relay could have removed an unsigned one. */
function isMimeSigned(mail: SplitMail, tags: SignatureTags, headers: SignedHeaders): boolean {
  const provenAbsent =
    headerValue(mail, 'content-type') === null && tags.signedNames.includes('content-type');
  return (
    (headers.contentType !== null || provenAbsent) &&
    (headerValue(mail, 'content-transfer-encoding') === null || headers.transferEncoding !== null)
  );
}

function explainFailure(tags: SignatureTags, { failure, key }: Checked, record: string): Weighed {
  const { domain } = tags;
  if (failure === 'body hash did not verify') return forged(because('body_changed'));
  if (failure === 'bad signature' && openSignature(key, tags.signature))
    return { ...forged(because('signature_invalid', { domain })), keyFits: 'signature' };
  if (misfits.includes(failure ?? ''))
    return { ...retrying(because('key_misfit', { name: keyName(tags) })), keyDoubted: true };
  if (failure === 'weak key') return forged(because('key_too_short', { domain }));
  // Not accepted, but retried for a day: a key that was withdrawn by mistake may return to DNS.
  if (failure === 'invalid public key' && isWithdrawn(record))
    return { ...retrying(because('key_withdrawn', { domain })), keyDoubted: true };
  // A record that is no key is a typo in the bank's DNS, which will be corrected.
  if (failure === 'invalid public key') return retrying(because('key_unusable', { name: keyName(tags) }));
  return forged(because('signature_refused', { domain, comment: failure || 'not valid' }));
}

/** Failures that another key could resolve. The owner's own withdrawal is not among them. */
const misfits = ['bad signature', 'inappropriate key algorithm', 'unknown key type', 'unknown key version'];

/**
 * Only the key that made an RSA signature opens it to its padding and a hash, even after the headers were changed. So
 * a mail that was changed on its way is distinguished from one with a doubtful key, and need not wait.
 */
export function openSignature(key: KeyObject | null, signature: Buffer): Buffer | null {
  if (key?.asymmetricKeyType !== 'rsa') return null;
  try {
    return publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
  } catch {
    return null;
  }
}

/** A missing key is a passing fault. */
export function explainMissingKey(tags: SignatureTags, answer: KeyAnswer | undefined): Retrying {
  if (answer?.kind === 'not_found') return retrying(because('key_missing', { name: keyName(tags) }));
  return retrying(because('key_not_fetched', { domain: tags.domain }));
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

/** Values of the header fields that the signature covers. Nothing else of the header is ever believed. */
type SignedHeaders = {
  readonly from: string;
  readonly subject: string;
  readonly to: string | null;
  readonly cc: string | null;
  readonly date: string | null;
  readonly contentType: string | null;
  readonly transferEncoding: string | null;
};

/**
 * Reads the header fields from the exact bytes of the signature check. A field added on top of a genuine mail leaves
 * the signature valid, and MIME libraries show the forged one; here it does not exist.
 */
function readSignedHeaders(canonical: string, signedNames: readonly string[]): SignedHeaders | null {
  const fields = canonical.split(/\r\n(?![ \t])/).map(line => {
    const colon = line.indexOf(':');
    return {
      name: line.slice(0, colon).trim().toLowerCase(),
      value: line
        .slice(colon + 1)
        .replaceAll('\r\n', '')
        .trim(),
    };
  });
  if (fields.pop()?.name !== 'dkim-signature') return null;

  const valuesOf = (name: string) => fields.filter(field => field.name === name).map(field => field.value);
  const once = (name: string) => valuesOf(name)[0] ?? null;
  const names = ['from', 'subject', 'to', 'cc', 'date', 'content-type', 'content-transfer-encoding'];
  if (names.some(name => valuesOf(name).length > 1)) return null;

  const from = once('from');
  // A name in h= without its header is signed as absent, so nobody can add a subject later.
  const subject = once('subject') ?? (signedNames.includes('subject') ? '' : null);
  if (from === null || subject === null) return null;
  return {
    from,
    subject,
    to: once('to'),
    cc: once('cc'),
    date: once('date'),
    contentType: once('content-type'),
    transferEncoding: once('content-transfer-encoding'),
  };
}

export type Signer = {
  readonly name: string;
  /** Exact From addresses, lower case. Mail from any other address is not this bank's. */
  readonly senders: readonly string[];
  /** Exact d= values, lower case. Never a suffix, never the mail provider's own domain. */
  readonly signingDomains: readonly string[];
  /**
   * Set only if the bank leaves Content-Type and Content-Transfer-Encoding unsigned. Only these MIME shapes are read
   * then, so an attacker who swaps those headers gets an unreadable mail.
   */
  readonly unsignedMime: readonly MimeShape[] | null;
  /** The bank does not always sign Date; then the signature's t= gives the time. */
  readonly dateMayBeUnsigned: boolean;
};

export type MimeShape = {
  readonly contentType: 'multipart/mixed' | 'multipart/alternative' | 'text/html' | 'text/plain';
  /** The parts of a multipart, in order; a mail without container is its own only part. */
  readonly parts: readonly ('text/html' | 'text/plain')[];
};

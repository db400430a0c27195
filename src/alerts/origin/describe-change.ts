import { createHash } from 'node:crypto';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { SplitMail } from '../mail/split-headers.ts';
import { type CanonicalBodies, canonicaliseHeaders, readKey } from './check-signature.ts';
import type { KeyAnswer } from './key-source.ts';
import type { SignatureTags } from './parse-signature.ts';
import { keyName, openSignature } from './weigh-signature.ts';

/** A mail has one signature of its bank, seldom two; a forger may write eight. */
const mostTried = 2;
/** A mail system adds only a few words before or after a subject. */
const mostWords = 12;
const mostLines = 5_000;
/** Each line that may have been added on top costs one hash of the rest. */
const mostOnTop = 30;
const longestTried = 128 * 1024;
const longestQuote = 120;

/**
 * Describes, for people, how a mail was changed after the bank's key signed it. Null if no key of the bank made any of
 * these signatures. An RSA signature opens with its key to the hash of the signed headers. Additions are removed until
 * that hash matches. This decides nothing: such a mail is forged and pays nothing.
 */
export async function describeChange(
  mail: SplitMail,
  signatures: readonly SignatureTags[],
  bodyOf: CanonicalBodies,
  ask: (name: string) => Promise<KeyAnswer>,
): Promise<Reason | null> {
  for (const tags of signatures.filter(one => one.algorithm === 'rsa-sha256').slice(0, mostTried)) {
    const answer = await ask(keyName(tags));
    if (answer.kind !== 'found') continue;
    const hash = [answer.record, ...(answer.others ?? [])]
      .map(record => signedHash(record, tags.signature))
      .find(opened => opened !== null);
    if (hash) return sayChange(tags, canonicaliseHeaders(mail.fields, tags), hash, bodyOf);
  }
  return null;
}

/** The signed SHA-256, or null if another key made the signature. */
function signedHash(record: string, signature: Buffer): string | null {
  const opened = openSignature(readKey(record).key ?? null, signature);
  // The algorithm's name takes 19 bytes, then the hash follows.
  return opened?.length === 51 ? opened.subarray(19).toString('base64') : null;
}

function sayChange(tags: SignatureTags, headers: string, hash: string, bodyOf: CanonicalBodies): Reason {
  const body = bodyOf(tags.bodyCanon);
  const bodyChanged = body.hash !== tags.bodyHash;
  if (bodyChanged && hashOf(headers) === hash) {
    const added = addedText(body.bytes, tags.bodyHash);
    return added === null ? because('body_changed') : because('text_added', { added });
  }
  const added = addedToSubject(headers, hash);
  if (added === null) return because('headers_changed');
  return bodyChanged ? because('subject_and_body_changed', { added }) : because('subject_changed', { added });
}

function addedToSubject(headers: string, hash: string): string | null {
  const found = /(?:^|\r\n)subject:[ \t]*/i.exec(headers);
  if (!found) return null;
  const start = found.index + found[0].length;
  const end = headers.indexOf('\r\n', start) < 0 ? headers.length : headers.indexOf('\r\n', start);
  const subject = headers.slice(start, end);
  const fits = (kept: string) => hashOf(headers.slice(0, start) + kept + headers.slice(end)) === hash;
  const spaces = [...subject.matchAll(/[ \t]+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const behind = spaces.slice(0, mostWords).find(({ index, length }) => fits(subject.slice(index + length)));
  if (behind) return quote(subject.slice(0, behind.index));
  const before = spaces.slice(-mostWords).find(({ index }) => fits(subject.slice(0, index)));
  return before ? quote(subject.slice(before.index)) : null;
}

/** Finds lines added below or above the signed text, but not inside a part of the mail. */
function addedText(body: Buffer, bodyHash: string): string | null {
  const lines = body.toString('latin1').split('\r\n');
  if (body.length > longestTried || lines.length > mostLines) return null;
  const hashed = createHash('sha256');
  for (const [at, line] of lines.entries()) {
    hashed.update(`${line}\r\n`, 'latin1');
    if (line !== '' && hashed.copy().digest('base64') === bodyHash)
      return quote(lines.slice(at + 1).join(' '));
  }
  for (let at = 1; at < Math.min(lines.length, mostOnTop); at++)
    if (hashOf(lines.slice(at).join('\r\n')) === bodyHash) return quote(lines.slice(0, at).join(' '));
  return null;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('base64');
}

function quote(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8').replace(/\s+/g, ' ').trim().slice(0, longestQuote);
}

import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { minute } from '../clock.ts';
import type { Bank } from './bank.ts';
import type { KeyAnswer, KeyPurpose, KeySource } from './key-source.ts';
import { parseSignature, type SignatureTags } from './parse-signature.ts';
import { restoreMessageId } from './restore-message-id.ts';
import { type HeaderField, joinMail, type SplitMail } from './split-headers.ts';
import { keyName, type VerifiedOrigin, type Weighed, weighSignature } from './weigh-signature.ts';

/** Two clocks may differ by this much before a signature counts as written in the future. */
const futureTolerance = 5 * minute;
/** RFC 8301 §3.2; some banks still sign with 1024 bits. */
const minKeyBits = 1024;

type Origin =
  | VerifiedOrigin
  | { readonly outcome: 'forged'; readonly reason: string }
  | { readonly outcome: 'retrying'; readonly reason: string }
  | { readonly outcome: 'unreadable'; readonly reason: string; readonly unlistedDomain: string | null };

type Moments = { readonly arrivedAt: Date; readonly now: Date };
type Candidate = { readonly index: number; readonly tags: SignatureTags };

/**
 * Gate 2: did this bank sign this mail, and does the signature cover all that we are about to read? The library
 * computes; what it lets pass (l=, a second header on top, testing keys, a future t=) is refused here.
 */
export async function verifyOrigin(
  mail: SplitMail,
  bank: Bank,
  keys: KeySource,
  moments: Moments,
): Promise<Origin> {
  const signatures = signaturesOf(mail);
  const listed = signatures.filter(one => bank.signingDomains.includes(one.tags.domain));
  if (listed.length === 0) return nameUnlistedSigner(mail, bank, keys, moments, signatures);

  const refusals = listed.map(one => refusalOf(one.tags, moments.arrivedAt));
  const usable = listed.filter((_, i) => refusals[i] === null);
  if (usable.length === 0) return forged(refusals[0]!);

  const attempt = await attemptBoth(mail, bank, keys, 'bank', usable, moments);
  if (attempt.outcome !== 'verified') return attempt;
  const expired = usable.find(one => one.tags.id === attempt.signatureId)?.tags.expiresAt;
  if (expired && expired < moments.now) {
    const reason = `${bank.name}'s signature was valid when the mail arrived and has expired since; it needs a person's look.`;
    return { outcome: 'unreadable', reason, unlistedDomain: null };
  }
  return attempt;
}

function signaturesOf(mail: SplitMail): Candidate[] {
  return mail.fields
    .filter(field => field.name === 'dkim-signature')
    .map((field, index) => ({ index, tags: parseSignature(field.value) }))
    .filter((one): one is Candidate => one.tags !== null);
}

/** What disqualifies a signature before any key is asked for. */
function refusalOf(tags: SignatureTags, arrivedAt: Date): string | null {
  if (tags.lengthLimited)
    return 'The signature covers only a part of the body (l=), so text could have been added.';
  if (tags.algorithm !== 'rsa-sha256' && tags.algorithm !== 'ed25519-sha256')
    return `The signature uses ${tags.algorithm}, which is not safe.`;
  if (!tags.identityInDomain) return 'The signature speaks for a domain (i=) other than its own.';
  if (!tags.signedNames.includes('from')) return 'The signature does not cover the sender.';
  if (tags.signedAt && tags.signedAt.getTime() > arrivedAt.getTime() + futureTolerance)
    return 'The signature claims to have been made after the mail arrived.';
  if (tags.expiresAt && tags.expiresAt < arrivedAt)
    return 'The signature had expired before the mail arrived.';
  return null;
}

/** As it stands, and once more with the Message-ID that Gmail replaced. */
async function attemptBoth(
  mail: SplitMail,
  bank: Bank,
  keys: KeySource,
  purpose: KeyPurpose,
  usable: readonly Candidate[],
  moments: Moments,
): Promise<Weighed> {
  const answers = new Map<string, KeyAnswer>();
  const ask = async (name: string): Promise<KeyAnswer> => {
    const answer = answers.get(name) ?? (await keys(name, purpose));
    answers.set(name, answer);
    return answer;
  };
  const first = await attempt(mail, bank, ask, usable, moments);
  if (first.outcome === 'verified' || first.passed) return first;
  const restored = restoreMessageId(mail);
  if (!restored) return first;
  const second = await attempt(restored, bank, ask, usable, moments);
  return second.outcome === 'forged' && first.outcome === 'retrying' ? first : second;
}

async function attempt(
  mail: SplitMail,
  bank: Bank,
  ask: (name: string) => Promise<KeyAnswer>,
  usable: readonly Candidate[],
  { arrivedAt }: Moments,
): Promise<Weighed> {
  const answers = new Map<string, KeyAnswer>();
  const { results } = await dkimVerify(joinMail(fieldsToVerify(mail, usable), mail.body), {
    strict: true,
    minBitLength: minKeyBits,
    curTime: arrivedAt,
    // The library would ask for every signature it meets; only the chosen names reach DNS.
    resolver: async (name: string) => {
      const asked = name.toLowerCase();
      if (!usable.some(one => keyName(one.tags) === asked)) throw dnsFailure('ENOTFOUND');
      const answer = await ask(asked);
      answers.set(asked, answer);
      if (answer.kind === 'found') return [[answer.record]];
      throw dnsFailure(answer.kind === 'not_found' ? 'ENOTFOUND' : 'ETIMEOUT');
    },
  });

  const attempts = usable.map(one => weighSignature(mail, bank, one.tags, results[one.index], answers));
  // By value and not by position: the order of header fields is the relay's to choose.
  const verified = attempts
    .filter(one => one.outcome === 'verified')
    .sort((a, b) => (a.signatureId < b.signatureId ? -1 : 1));
  if (verified[0])
    return { ...verified[0], otherSignatureIds: verified.slice(1).map(one => one.signatureId) };
  return attempts.find(one => one.outcome === 'retrying') ?? attempts[0]!;
}

/** The signatures and what they sign. ARC, Return-Path and the rest would be parsed by the library for nothing. */
function fieldsToVerify(mail: SplitMail, usable: readonly Candidate[]): HeaderField[] {
  const named = new Set(['dkim-signature', ...usable.flatMap(one => one.tags.signedNames)]);
  return mail.fields.filter(field => named.has(field.name));
}

/**
 * A mail in a listed bank's name without any signature of its domains: a forgery, or the bank has moved. One foreign
 * key is asked for, never more, so that the operator reads the new domain; whatever the answer, it never pays.
 */
async function nameUnlistedSigner(
  mail: SplitMail,
  bank: Bank,
  keys: KeySource,
  moments: Moments,
  signatures: readonly Candidate[],
): Promise<Origin> {
  const usable = signatures.filter(one => refusalOf(one.tags, moments.arrivedAt) === null);
  const chosen = usable.find(one => looksRelated(one.tags.domain, bank)) ?? usable[0];
  if (!chosen) return forged(`The mail claims to be from ${bank.name} but carries no signature of the bank.`);

  const attempt = await attemptBoth(mail, bank, keys, 'unlisted', [chosen], moments);
  const { domain } = chosen.tags;
  if (attempt.outcome === 'verified' || attempt.passed) {
    const reason = `The mail is signed by ${domain}, which is not known as a signing domain of ${bank.name}.`;
    return { outcome: 'unreadable', reason, unlistedDomain: domain };
  }
  return forged(
    `The mail claims to be from ${bank.name} but is not signed by the bank; a signature of ${domain} did not help.`,
  );
}

/** Under .bank.in, which only banks get, or a neighbour of a domain that we know. Only chooses whom to name. */
function looksRelated(domain: string, bank: Bank): boolean {
  const known = [
    ...bank.signingDomains,
    ...bank.senders.map(sender => sender.slice(sender.indexOf('@') + 1)),
  ];
  return (
    domain.endsWith('.bank.in') ||
    known.some(one => domain.endsWith(`.${one}`) || one.endsWith(`.${domain}`) || one === domain)
  );
}

function dnsFailure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function forged(reason: string): { outcome: 'forged'; reason: string } {
  return { outcome: 'forged', reason };
}

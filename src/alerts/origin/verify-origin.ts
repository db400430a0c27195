import { isDeepStrictEqual } from 'node:util';
import { getDomainWithoutSuffix } from 'tldts';
import { minute } from '../../base/clock.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { SplitMail } from '../mail/split-headers.ts';
import {
  type CanonicalBodies,
  canonicalBodies,
  checkSignature,
  type SignatureCheck,
} from './check-signature.ts';
import { describeChange } from './describe-change.ts';
import { type KeyAnswer, type KeyPurpose, type KeySource, keyId } from './key-source.ts';
import { type SignatureTags, signaturesOf } from './parse-signature.ts';
import { restoreMessageId } from './restore-message-id.ts';
import {
  explainMissingKey,
  keyName,
  type Retrying,
  type Signer,
  type VerifiedOrigin,
  type Weighed,
  weighSignature,
} from './weigh-signature.ts';

/** Two clocks may differ by this much before a signature counts as written in the future. */
const futureTolerance = 5 * minute;

export type Origin =
  | VerifiedOrigin
  | Retrying
  | {
      readonly outcome: 'forged';
      readonly reason: Reason;
      /** The bank's key made its signature, so the mail was once the bank's. */
      readonly opened?: true;
      /** The change since then, if it is why the signature is invalid. */
      readonly change?: Reason;
    }
  | { readonly outcome: 'unreadable'; readonly reason: Reason; readonly unlistedDomain: string | null };

type Moments = {
  readonly arrivedAt: Date;
  readonly now: Date;
  /** Replaces our own check in the drill that compares the two. */
  readonly check?: SignatureCheck;
};

/**
 * Gate 2: did this bank sign this mail, and does the signature cover everything that we read? DKIM accepts l=, a
 * second header on top, testing keys and a future t=; all of them are refused here.
 */
export async function verifyOrigin(
  mail: SplitMail,
  bank: Signer,
  keys: KeySource,
  moments: Moments,
): Promise<Origin> {
  const signatures = signaturesOf(mail);
  const listed = signatures.filter(one => bank.signingDomains.includes(one.domain));
  if (listed.length === 0) return nameUnlistedSigner(mail, bank, keys, moments, signatures);

  const refusals = listed.map(one => refusalOf(one, moments.arrivedAt));
  const usable = listed.filter((_, i) => refusals[i] === null);
  if (usable.length === 0) return forged(refusals[0]!);

  const attempt = await attemptBoth(mail, bank, keys, 'bank', usable, moments);
  if (attempt.outcome === 'forged') return await nameChange(mail, keys, usable, attempt);
  if (attempt.outcome === 'retrying') return attempt;
  const expired = attempt.expiresAt;
  if (expired && expired < moments.now) {
    const reason = because('signature_expired_since', { bank: bank.name });
    return { outcome: 'unreadable', reason, unlistedDomain: null };
  }
  return attempt;
}

/** A bank's mail that was changed on its way is forged like any other, but the owner should learn of the change. */
async function nameChange(
  mail: SplitMail,
  keys: KeySource,
  usable: readonly SignatureTags[],
  { reason, keyFits }: Weighed & { outcome: 'forged' },
): Promise<Origin> {
  if (keyFits === 'mail') return { outcome: 'forged', reason, opened: true };
  if (keyFits === undefined && reason.code !== 'body_changed') return { outcome: 'forged', reason };
  const change = await describeChange(mail, usable, canonicalBodies(mail.body), name => keys(name, 'bank'));
  return { outcome: 'forged', reason, ...(change && { change, opened: true }) };
}

/** A reason to reject a signature before any key is asked for. */
function refusalOf(tags: SignatureTags, arrivedAt: Date): Reason | null {
  if (tags.lengthLimited) return because('body_partly_signed');
  if (tags.algorithm !== 'rsa-sha256' && tags.algorithm !== 'ed25519-sha256')
    return because('weak_algorithm', { algorithm: tags.algorithm });
  if (!tags.identityInDomain) return because('foreign_identity');
  if (!tags.signedNames.includes('from')) return because('sender_unsigned');
  if (tags.signedAt && tags.signedAt.getTime() > arrivedAt.getTime() + futureTolerance)
    return because('signed_in_future');
  if (tags.expiresAt && tags.expiresAt < arrivedAt) return because('signature_expired');
  return null;
}

/**
 * Tries the mail unchanged and with the Message-ID that Gmail replaced, the likelier first. Before that it compares
 * the body with its hash, because no key and no Message-ID can correct that.
 */
async function attemptBoth(
  mail: SplitMail,
  bank: Signer,
  keys: KeySource,
  purpose: KeyPurpose,
  usable: readonly SignatureTags[],
  moments: Moments,
): Promise<Weighed> {
  const bodyOf = canonicalBodies(mail.body);
  const intact = usable.filter(tags => bodyOf(tags.bodyCanon).hash === tags.bodyHash);
  if (intact.length === 0) return forged(because('body_changed'));

  const answers = new Map<string, KeyAnswer>();
  const ask = async (name: string, asked = purpose): Promise<KeyAnswer> => {
    const id = keyId({ name, purpose: asked });
    const answer = answers.get(id) ?? (await keys(name, asked));
    answers.set(id, answer);
    return answer;
  };
  const trial: Trial = { bank, intact, bodyOf, check: moments.check ?? checkSignature };
  const tryOut = (shape: SplitMail) => attempt(shape, ask, trial);
  const first = await attemptShapes(mail, intact, tryOut);
  if (purpose !== 'bank' || !anotherKeyMayFit(first)) return first;
  // No known key fits. The bank may have replaced its key since it was asked for.
  const names = [...new Set(intact.map(keyName))];
  const replaced = await Promise.all(
    names.map(async name => !isDeepStrictEqual(await ask(name), await ask(name, 'again'))),
  );
  if (!replaced.includes(true)) return first;
  const tryAgain = (shape: SplitMail) => attempt(shape, name => ask(name, 'again'), trial);
  return await attemptShapes(mail, intact, tryAgain);
}

function anotherKeyMayFit(weighed: Weighed): boolean {
  if (weighed.outcome === 'retrying') return weighed.keyDoubted === true;
  return weighed.outcome === 'forged' && weighed.keyFits === undefined;
}

async function attemptShapes(
  mail: SplitMail,
  intact: readonly SignatureTags[],
  tryOut: (shape: SplitMail) => Promise<Weighed>,
): Promise<Weighed> {
  const restored = restoreMessageId(mail);
  if (!restored) return await tryOut(mail);
  // If every signature covers the Message-ID, Gmail's cannot be the one that the bank signed.
  const isReplaced = intact.every(tags => tags.signedNames.includes('message-id'));
  const first = await tryOut(isReplaced ? restored : mail);
  if (isSignedWhole(first)) return first;
  const second = await tryOut(isReplaced ? mail : restored);
  if (isSignedWhole(second)) return second;
  const [asItStands, asSent] = isReplaced ? [second, first] : [first, second];
  return asSent.outcome === 'forged' && asItStands.outcome === 'retrying' ? asItStands : asSent;
}

/** The signature is valid for the mail in exactly this form, even if our own rules reject it. */
function isSignedWhole(weighed: Weighed): boolean {
  return weighed.outcome === 'verified' || (weighed.outcome === 'forged' && weighed.keyFits === 'mail');
}

/** The values for trying a mail in each form: signatures with an intact body, and what they are checked against. */
type Trial = {
  readonly bank: Signer;
  readonly intact: readonly SignatureTags[];
  readonly bodyOf: CanonicalBodies;
  readonly check: SignatureCheck;
};

async function attempt(
  mail: SplitMail,
  ask: (name: string) => Promise<KeyAnswer>,
  trial: Trial,
): Promise<Weighed> {
  const { intact } = trial;
  const answers = new Map<string, KeyAnswer>();
  for (const tags of intact) answers.set(keyName(tags), await ask(keyName(tags)));
  if (![...answers.values()].some(({ kind }) => kind === 'found'))
    return explainMissingKey(intact[0]!, answers.get(keyName(intact[0]!)));

  const first = await attemptWith(answers, mail, trial);
  if (first.outcome === 'verified') return first;
  // A broken record must not hide a good one of the same name.
  for (const others of otherKeys(answers)) {
    const next = await attemptWith(others, mail, trial);
    if (next.outcome === 'verified' || (next.outcome === 'forged' && next.keyFits !== undefined)) return next;
  }
  return first;
}

/** The same answers with the second key of each name, then with the third. */
function otherKeys(answers: ReadonlyMap<string, KeyAnswer>): Map<string, KeyAnswer>[] {
  const others = [...answers].map(([name, answer]) => ({
    name,
    records: (answer.kind === 'found' && answer.others) || [],
  }));
  const rounds = Math.max(...others.map(({ records }) => records.length));
  return Array.from({ length: rounds }, (_, round) => {
    const next = new Map(answers);
    for (const { name, records } of others)
      if (records[round] !== undefined) next.set(name, { kind: 'found', record: records[round] });
    return next;
  });
}

async function attemptWith(
  answers: ReadonlyMap<string, KeyAnswer>,
  mail: SplitMail,
  { bank, intact, bodyOf, check }: Trial,
): Promise<Weighed> {
  const attempts: Weighed[] = [];
  for (const tags of intact) {
    const answer = answers.get(keyName(tags));
    const body = bodyOf(tags.bodyCanon);
    attempts.push(
      answer?.kind === 'found'
        ? weighSignature(
            mail,
            bank,
            tags,
            await check(mail.fields, tags, answer.record, body),
            answer.record,
            body,
          )
        : explainMissingKey(tags, answer),
    );
  }
  // Sorted by value, because a relay can choose the order of header fields.
  const verified = attempts
    .filter(one => one.outcome === 'verified')
    .sort((a, b) => (a.signatureId < b.signatureId ? -1 : 1));
  if (verified[0])
    return { ...verified[0], otherSignatureIds: verified.slice(1).map(one => one.signatureId) };
  return attempts.find(one => one.outcome === 'retrying') ?? attempts[0]!;
}

/**
 * A mail in a listed bank's name without a signature of its domains: a forgery, or the bank has moved. If a domain is
 * plausibly the bank's, one foreign key is asked for, never more, so that the operator sees the new domain. The mail
 * never pays, with any answer.
 */
async function nameUnlistedSigner(
  mail: SplitMail,
  bank: Signer,
  keys: KeySource,
  moments: Moments,
  signatures: readonly SignatureTags[],
): Promise<Origin> {
  const usable = signatures.filter(one => refusalOf(one, moments.arrivedAt) === null);
  if (!usable[0]) return forged(because('not_signed', { bank: bank.name }));
  const related = usable.find(one => isPlausible(one.domain, bank));
  const { domain } = related ?? usable[0];
  const weighed = related && (await attemptBoth(mail, bank, keys, 'unlisted', [related], moments));
  if (weighed && isSignedWhole(weighed)) {
    const reason = because('unlisted_signer', { domain, bank: bank.name });
    return { outcome: 'unreadable', reason, unlistedDomain: domain };
  }
  return forged(because('signed_by_other', { bank: bank.name, domain }));
}

/**
 * Whether the bank could have moved to this domain: it is under .bank.in, which only banks get, or registered under
 * the same name as a known domain (hdfcbank.net, hdfcbank.com, alerts.hdfcbank.bank.in).
 */
function isPlausible(domain: string, bank: Signer): boolean {
  const known = [
    ...bank.signingDomains,
    ...bank.senders.map(sender => sender.slice(sender.indexOf('@') + 1)),
  ];
  const name = getDomainWithoutSuffix(domain);
  return domain.endsWith('.bank.in') || (!!name && known.some(one => getDomainWithoutSuffix(one) === name));
}

function forged(reason: Reason): { outcome: 'forged'; reason: Reason } {
  return { outcome: 'forged', reason };
}

import { isDeepStrictEqual } from 'node:util';
import { getDomainWithoutSuffix } from 'tldts';
import { minute } from '../../base/clock.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import type { SplitMail } from '../mail/split-headers.ts';
import { type CanonicalBodies, canonicalBodies } from './canonicalise.ts';
import { checkSignature, type SignatureCheck } from './check-signature.ts';
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
      /** The bank's key made its signature: the mail was the bank's once. */
      readonly opened?: true;
      /** What was changed since, where that is why it does not hold. */
      readonly change?: Reason;
    }
  | { readonly outcome: 'unreadable'; readonly reason: Reason; readonly unlistedDomain: string | null };

type Moments = {
  readonly arrivedAt: Date;
  readonly now: Date;
  /** In the place of our own; only the drill that compares the two has another. */
  readonly check?: SignatureCheck;
};

/**
 * Gate 2: did this bank sign this mail, and does the signature cover all that we are about to read? What DKIM lets pass
 * (l=, a second header on top, testing keys, a future t=) is refused here.
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

/** A mail that was the bank's and was changed on its way is forged like any other, and its owner wants to know. */
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

/** What disqualifies a signature before any key is asked for. */
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
 * As it stands and with the Message-ID that Gmail replaced, the likelier of the two first. Before either the body is held against its hash, which neither a key nor another
 * Message-ID can mend.
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
  // No key that we know of fits. The bank may have put another in its place since we asked.
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
  // Where every signature covers the Message-ID, Gmail's cannot be the one that the bank signed.
  const isReplaced = intact.every(tags => tags.signedNames.includes('message-id'));
  const first = await tryOut(isReplaced ? restored : mail);
  if (isSignedWhole(first)) return first;
  const second = await tryOut(isReplaced ? mail : restored);
  if (isSignedWhole(second)) return second;
  const [asItStands, asSent] = isReplaced ? [second, first] : [first, second];
  return asSent.outcome === 'forged' && asItStands.outcome === 'retrying' ? asItStands : asSent;
}

/** The signature holds for the mail in this very shape, whatever our own rules say of it. */
function isSignedWhole(weighed: Weighed): boolean {
  return weighed.outcome === 'verified' || (weighed.outcome === 'forged' && weighed.keyFits === 'mail');
}

/** What one mail is tried with in each of its shapes: the signatures whose body is intact, and what they are held to. */
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
  // A record that is broken hides no good one beside it.
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
  // By value and not by position: the order of header fields is the relay's to choose.
  const verified = attempts
    .filter(one => one.outcome === 'verified')
    .sort((a, b) => (a.signatureId < b.signatureId ? -1 : 1));
  if (verified[0])
    return { ...verified[0], otherSignatureIds: verified.slice(1).map(one => one.signatureId) };
  return attempts.find(one => one.outcome === 'retrying') ?? attempts[0]!;
}

/**
 * A mail in a listed bank's name without any signature of its domains: a forgery, or the bank has moved. Where a domain
 * plausibly is the bank's, one foreign key is asked for, never more, so that the operator reads the new domain; whatever
 * the answer, it never pays.
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
 * Could the bank have moved to this domain? Under .bank.in, which only banks get, or registered under the same name as
 * a domain that we know (hdfcbank.net, hdfcbank.com, alerts.hdfcbank.bank.in).
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

import { isDeepStrictEqual } from 'node:util';
import { day, minute } from '../../base/clock.ts';
import { because, type Reason } from '../../texts/verdicts.ts';
import { type Bank, type CreditFacts, findBank, neverPays, type Reading } from '../banks/bank.ts';
import { decodeSubject } from '../mail/decode-subject.ts';
import { parseAddresses, parseMailDate } from '../mail/parse-fields.ts';
import { headerValue, type SplitMail, splitHeaders } from '../mail/split-headers.ts';
import type { KeySource } from '../origin/key-source.ts';
import { verifyOrigin } from '../origin/verify-origin.ts';
import type { VerifiedOrigin } from '../origin/weigh-signature.ts';
import { compareReadings, partsOf } from '../reading/compare-readings.ts';
import { isReadingDoubt, numbersIn, type Offer, offerFigures } from '../reading/offer-figures.ts';
import { type BodyText, readBody } from '../reading/read-body.ts';

/** A Date further than this from the signature's time is not trusted. */
const maxDateDrift = 1 * day;
/** If Date and t= are this close, or Date and arrival, the bank's clock is trusted. */
const closeTogether = 30 * minute;

/** The facts known of a mail with any verdict. A field is null if its gate was not reached or the mail lacks it. */
export type Known = {
  readonly bankId: string | null;
  readonly bankName: string | null;
  /** The only From address, if it is a bank's. */
  readonly sender: string | null;
  readonly facts: CreditFacts | null;
  /** Every number in a signed mail that may be a reference. */
  readonly numbers: readonly string[];
  readonly alertTime: Date | null;
  readonly signatureId: string | null;
  readonly otherSignatureIds: readonly string[];
  readonly signingDomain: string | null;
  readonly selector: string | null;
  /** Our address that the bank signed, in lower case. */
  readonly recipient: string | null;
  /** The other recipients that the bank signed, in lower case. */
  readonly otherRecipients: readonly string[];
  /** An unlisted domain that signed in a listed bank's name: the bank may have moved. */
  readonly unlistedDomain: string | null;
  /** The one line that prevents the bank's statement from being read, as an entry for its `openings`. */
  readonly unlistedLine: string | null;
  /** For a credit, or one held by an unlisted line: the mail around it, without personal values. */
  readonly surroundings: string | null;
  readonly key: { readonly name: string; readonly record: string } | null;
};

type Refused = Known & {
  readonly verdict: 'wrong_recipient' | 'not_a_credit' | 'unreadable' | 'forged' | 'retrying';
  readonly reason: Reason;
  /** With `retrying`: the key in DNS did not make the signature. */
  readonly keyDoubted?: true | undefined;
  /** The bank's key made its signature, but the mail may have been changed since. */
  readonly opened?: true | undefined;
  /** For a mail held only because of its wording: the figures a person may choose from. */
  readonly offer?: Offer | null;
};

type Accepted = Known & { readonly verdict: 'credit'; readonly reason: Reason } & {
  readonly [Name in Deciding]: NonNullable<Known[Name]>;
};
type Deciding = Exclude<keyof Known, 'sender' | 'unlistedDomain' | 'unlistedLine' | 'surroundings' | 'key'>;

export type Judgement = Accepted | Refused;

export type Circumstances = {
  readonly banks: readonly Bank[];
  /** The connected mailbox and the listed extra alert addresses. */
  readonly addresses: readonly string[];
  readonly arrivedAt: Date;
  readonly now: Date;
  readonly keys: KeySource;
};

const nothing: Known = {
  bankId: null,
  bankName: null,
  sender: null,
  facts: null,
  numbers: [],
  alertTime: null,
  signatureId: null,
  otherSignatureIds: [],
  signingDomain: null,
  selector: null,
  recipient: null,
  otherRecipients: [],
  unlistedDomain: null,
  unlistedLine: null,
  surroundings: null,
  key: null,
};

/** The result for a mail whose judging did not finish: it is kept and shown, and never paid. */
export function undecided(reason: Reason): Judgement {
  return refused(nothing, 'unreadable', reason);
}

function refused(known: Known, verdict: Refused['verdict'], reason: Reason): Refused {
  return { ...known, verdict, reason };
}

/** Runs gates 2 to 4 in order, from raw bytes to one verdict. The result depends only on the arguments. */
export async function judgeMail(raw: Buffer, circumstances: Circumstances): Promise<Judgement> {
  const mail = splitHeaders(raw);
  if (mail.outcome === 'refused') return refused(nothing, mail.verdict, mail.reason);

  const from = parseAddresses(headerValue(mail, 'from') ?? '');
  if (from?.length !== 1) return refused(nothing, 'forged', because('no_clear_sender'));
  const bank = findBank(circumstances.banks, from[0]!);
  if (!bank) return refused(nothing, 'unreadable', because('unknown_sender', { sender: from[0]! }));

  const claimed: Known = { ...nothing, bankId: bank.id, bankName: bank.name, sender: from[0]! };
  const origin = await verifyOrigin(mail, bank, circumstances.keys, circumstances);
  if (origin.outcome === 'unreadable')
    return {
      ...refused(claimed, 'unreadable', origin.reason),
      unlistedDomain: origin.unlistedDomain,
      opened: origin.reason.code === 'signature_expired_since' || undefined,
    };
  if (origin.outcome === 'retrying')
    return { ...refused(claimed, 'retrying', origin.reason), keyDoubted: origin.keyDoubted };
  if (origin.outcome === 'forged') {
    const { change, opened, reason } = origin;
    // A person can change a bank's mail that was sent to somebody else. That says nothing about our ways of delivery.
    const ours = change !== undefined && isAddressedTo(mail, circumstances.addresses);
    const why = ours ? because('changed_on_way', { bank: bank.name, change }) : reason;
    return { ...refused(claimed, 'forged', why), opened };
  }
  // One From header with a signature over it should exclude another sender. This check is a second line of defence.
  if (parseAddresses(origin.headers.from)?.[0] !== from[0])
    return refused(claimed, 'forged', because('other_signed_sender'));
  return judgeSigned(origin, bank, claimed, circumstances);
}

/** Reads the unverified headers, which may be unsigned. */
function isAddressedTo(mail: SplitMail, addresses: readonly string[]): boolean {
  const named = ['to', 'cc'].flatMap(name => parseAddresses(headerValue(mail, name) ?? '') ?? []);
  return named.some(one => addresses.some(own => own.toLowerCase() === one));
}

async function judgeSigned(
  origin: VerifiedOrigin,
  bank: Bank,
  claimed: Known,
  { addresses, arrivedAt }: Circumstances,
): Promise<Judgement> {
  const alertTime = timeOf(origin, arrivedAt);
  const signed = {
    ...claimed,
    bankId: bank.id,
    bankName: bank.name,
    signatureId: origin.signatureId,
    otherSignatureIds: origin.otherSignatureIds,
    signingDomain: origin.domain,
    selector: origin.selector,
    key: origin.key,
  };
  if (alertTime === null) return refused(signed, 'unreadable', because('no_trusted_time'));
  const known = { ...signed, alertTime };

  const addressed = addresseesOf(origin);
  if (addressed === null) return refused(known, 'unreadable', because('recipient_unclear'));
  const recipient = addressed.find(one => addresses.some(own => own.toLowerCase() === one)) ?? null;

  const { numbers = [], ...reading } = await readSigned(origin, bank);
  const facts = reading.outcome === 'unreadable' ? null : reading.facts;
  if (recipient === null) {
    const reason =
      addressed.length === 0
        ? because('addressed_to_nobody')
        : because('addressed_elsewhere', { recipients: addressed.join(', ') });
    return refused({ ...known, facts }, 'wrong_recipient', reason);
  }
  const otherRecipients = addressed.filter(one => !addresses.some(own => own.toLowerCase() === one));
  const read: Known = { ...known, facts, numbers, recipient };
  if (reading.outcome === 'unreadable') {
    const { unlistedLine, surroundings, reason } = reading;
    const offer =
      isReadingDoubt(reason.code) && bank.closed === null && !neverPays(bank, claimed.sender ?? '')
        ? reading.offer
        : null;
    return {
      ...refused({ ...read, unlistedLine, surroundings }, 'unreadable', reason),
      offer: offer ?? null,
    };
  }
  if (reading.outcome !== 'credit') return refused(read, reading.outcome, reading.reason);
  if (claimed.sender !== null && neverPays(bank, claimed.sender))
    return refused(read, 'not_a_credit', because('never_pays', { sender: claimed.sender, bank: bank.name }));
  // A closed bank's key and name may belong to somebody else now.
  if (bank.closed !== null)
    return refused(read, 'not_a_credit', because('bank_gone', { bank: bank.name, since: bank.closed }));
  return {
    ...known,
    numbers,
    verdict: 'credit',
    reason: because('money_arrived', { bank: bank.name }),
    facts: reading.facts,
    surroundings: reading.surroundings,
    recipient,
    otherRecipients,
  };
}

/** The bank's clock chooses the order, but never with a moment after the mail's arrival. */
function timeOf(origin: VerifiedOrigin, arrivedAt: Date): Date | null {
  const { signedAt } = origin;
  // Both are signed. If Date is unreadable (`IST` names three zones), the signature's own time counts.
  const date = origin.headers.date === null ? null : parseMailDate(origin.headers.date);
  if (date && signedAt && between(date, signedAt) > maxDateDrift) return null;
  // A Date with a wrong zone is hours off; t= counts seconds and has no zone.
  const isOff =
    date &&
    signedAt &&
    between(date, signedAt) > closeTogether &&
    (date > arrivedAt || between(date, arrivedAt) > closeTogether);
  const stated = isOff ? signedAt : (date ?? signedAt);
  return stated && stated > arrivedAt ? arrivedAt : stated;
}

function between(one: Date, other: Date): number {
  return Math.abs(one.getTime() - other.getTime());
}

/**
 * Signed To and Cc together. Null if either is malformed, because then the bank's recipients are unclear. An empty
 * header (`Cc:`) names nobody.
 */
function addresseesOf(origin: VerifiedOrigin): string[] | null {
  const lists = [origin.headers.to, origin.headers.cc]
    .filter(value => value !== null)
    .map(value => (value === '' ? [] : parseAddresses(value)));
  return lists.includes(null) ? null : lists.flatMap(list => list ?? []);
}

async function readSigned(
  origin: VerifiedOrigin,
  bank: Bank,
): Promise<Reading & { readonly offer?: Offer | null; readonly numbers?: readonly string[] }> {
  const unreadable = { outcome: 'unreadable', unlistedLine: null, surroundings: null } as const;
  const subject = decodeSubject(origin.headers.subject);
  if (subject === null) return { ...unreadable, reason: because('subject_unreadable') };
  const body = await readBody(origin, bank.unsignedMime);
  if (body.outcome === 'refused') return { ...unreadable, reason: body.reason };
  const reading = compareReadings(bank, subject, body);
  const numbers = numbersIn(bank, [subject, ...partsOf(bank, body).map(({ text }) => text)]);
  return reading.outcome === 'unreadable'
    ? { ...reading, numbers, offer: offerOf(bank, subject, body) }
    : { ...reading, numbers };
}

/** Null if the two parts offer different figures: a person may see one part and the program the other. */
function offerOf(bank: Bank, subject: string, body: BodyText): Offer | null {
  const offers = partsOf(bank, body).map(said => offerFigures(bank, { subject, ...said }));
  const [first = null, second = first] = offers;
  if (first === null || second === null) return null;
  const isSame =
    isDeepStrictEqual(first.amounts, second.amounts) &&
    isDeepStrictEqual(first.references, second.references) &&
    first.accountDigits === second.accountDigits &&
    first.payeeVpa === second.payeeVpa;
  return isSame ? first : null;
}

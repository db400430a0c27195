import { BoundedMap } from '../../base/bounded-map.ts';
import { day, hour, later, minute, second } from '../../base/clock.ts';
import { DnsError } from '../../base/network/dns.ts';
import type { World } from '../../base/world.ts';
import { isWithdrawn } from '../origin/check-signature.ts';
import { chooseRecord, type KeyAnswer, type KeyPurpose, mostOthers } from '../origin/key-source.ts';
import { alertMetrics } from './metrics.ts';
import { rememberKey, type SeenKey, seenKeys, staleKeyNames } from './queries/keys.ts';

/** A key that left DNS verifies mails that arrived up to this long after we last saw it there: mail can be late. */
export const remembered = 48 * hour;

/** An answer is asked for again after this; DNS time-to-lives of such records are longer. */
const answerFor = 5 * minute;
/** A missing key, and one that does not fit, is asked for once in a while only: forgers must not flood the bank's DNS. */
const absenceFor = 1 * second;
/** A key that gave way to another, or to none, counts if it was seen over this time; a lie told to our resolver lasts minutes. */
const establishedAfter = 1 * hour;
const mostAnswers = 2000;
/**
 * Questions of a minute that may find no key, below one signing domain, for the mails of one business. A name is asked
 * for the first time as often as mails may come: a bank's new selector answers at once, and selectors made up beside it,
 * or at another business, do not keep it waiting. Names that had no answer are asked for again out of a ration of their
 * own. A name that ever had a key is asked for all the same.
 */
const mostNew = 1_200;
const mostAgain = 600;
const inVainFor = 1 * minute;
/** Names remembered as asked for in vain, of all businesses. */
const mostAbsent = 50_000;
const absentFor = 1 * day;
/** A selector that no mail used for so long is not asked for any more. */
const refreshFor = 60 * day;
const namesAtOnce = 200;

type KeyWorld = Pick<World, 'sql' | 'dns' | 'clock' | 'log' | 'metrics'>;

export type RememberedKeys = ReturnType<typeof rememberedKeys>;

/** DKIM keys from DNS; what the banks' keys were is remembered, so that a rotated key does not lose a late mail. */
export function rememberedKeys(world: KeyWorld) {
  const answers = new BoundedMap<string, Remembered>(mostAnswers);
  const inVain = new BoundedMap<string, { since: number; count: number }>(mostAnswers);
  const absent = new BoundedMap<string, number>(mostAbsent);
  const metrics = alertMetrics(world.metrics);

  /** A `KeySource`; `arrivedAt` is when the mail was first seen, now if it is not told. */
  async function ask(
    name: string,
    purpose: KeyPurpose,
    arrivedAt = world.clock.now(),
    business = 0,
  ): Promise<KeyAnswer> {
    const { answer, seen } = await answerFromDns(name.toLowerCase(), purpose, business);
    return purpose === 'unlisted' ? answer : believe(answer, seen, arrivedAt);
  }

  /** What `ask` says of a bank's key at once and without DNS; null where it would have to ask or wait. */
  function known(name: string, arrivedAt: Date): KeyAnswer | null {
    const entry = answers.get(name);
    if (!entry?.found || world.clock.now().getTime() >= entry.until) return null;
    return believe(entry.found.answer, entry.found.seen, arrivedAt);
  }

  async function answerFromDns(name: string, purpose: KeyPurpose, business: number): Promise<Known> {
    const now = world.clock.now().getTime();
    // A stranger may ask for a bank's key in another bank's name; that answer is not remembered and serves nobody else.
    const id = purpose === 'unlisted' ? `unlisted ${name}` : name;
    const known = answers.get(id);
    const isOld = purpose === 'again' && known && now >= known.askedAt + absenceFor;
    if (known && now < known.until && !isOld) return await known.answer;
    const entry: Remembered = {
      answer: askDns(name, purpose, business),
      found: null,
      askedAt: now,
      until: now + answerFor,
    };
    answers.set(id, entry);
    try {
      const found = await entry.answer;
      if (found.answer.kind !== 'found') entry.until = now + absenceFor;
      entry.found = found;
      return found;
    } catch (error) {
      entry.until = now;
      throw error;
    }
  }

  async function askDns(name: string, purpose: KeyPurpose, business: number): Promise<Known> {
    const domain = name.slice(name.indexOf('._domainkey.'));
    const isAgain = world.clock.now().getTime() < (absent.get(name) ?? 0);
    const ration = `${isAgain ? 'again' : 'new'} ${business} ${domain}`;
    const isRationed = purpose !== 'unlisted' && countInVain(ration, 0) >= (isAgain ? mostAgain : mostNew);
    if (isRationed && (await seenKeys(world.sql, name, 1)).length === 0)
      return { answer: { kind: 'temporary' }, seen: [] };
    let answer: KeyAnswer;
    try {
      answer = chooseRecord(await world.dns.lookupText(name));
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
      answer = { kind: error.kind };
      if (purpose !== 'unlisted') metrics.dnsFailures.inc({ kind: error.kind });
    }
    // Only the banks' own keys: an unlisted domain may be an attacker's.
    if (purpose === 'unlisted') return { answer, seen: [] };
    let fresh = 0;
    if (answer.kind === 'found')
      for (const record of [answer.record, ...(answer.others ?? [])])
        if ((await rememberKey(world.sql, name, record, world.clock.now())) && !isWithdrawn(record)) fresh++;
    const seen = await seenKeys(world.sql, name, 2 * mostOthers);
    if (fresh > 0 && seen.length > fresh) metrics.keyChanges.inc(fresh);
    if (seen.length === 0) noteAbsent(name, ration);
    return { answer, seen };
  }

  function noteAbsent(name: string, ration: string): void {
    countInVain(ration, 1);
    absent.set(name, world.clock.now().getTime() + absentFor);
  }

  /** How many there were within the minute, with those of now. */
  function countInVain(ration: string, more: number): number {
    const now = world.clock.now().getTime();
    const known = inVain.get(ration);
    const { since, count } = known && now < known.since + inVainFor ? known : { since: now, count: 0 };
    inVain.set(ration, { since, count: count + more });
    return count + more;
  }

  /** Looks at every selector in use once a day, so that a key is remembered until shortly before it went. */
  async function refresh(): Promise<void> {
    const now = world.clock.now();
    const names = await staleKeyNames(world.sql, later(now, -day), later(now, -refreshFor), namesAtOnce);
    for (const name of names) {
      await askDns(name, 'bank', 0).catch(error =>
        world.log.warn({ err: error, name }, 'a key could not be refreshed'),
      );
    }
  }
  return { ask, known, refresh };
}

/** What DNS said, and which keys were ever seen under the name. */
type Known = { answer: KeyAnswer; seen: SeenKey[] };
type Remembered = { answer: Promise<Known>; found: Known | null; askedAt: number; until: number };

function believe(answer: KeyAnswer, seen: readonly SeenKey[], arrivedAt: Date): KeyAnswer {
  const inTime = seen.filter(key => arrivedAt <= later(key.last_seen, remembered) && isValid(key));
  if (answer.kind === 'found') return withOthers(answer, inTime);
  // DNS says itself that there is none: of what it said for a moment once, nobody knows whether it was true.
  const believed = answer.kind === 'temporary' ? inTime : inTime.filter(isEstablished);
  const [latest, ...earlier] = believed;
  return latest === undefined ? answer : withOthers({ kind: 'found', record: latest.record }, earlier);
}

/** A bank that replaces a key under its own name has mails of the old one on their way. One that withdraws it has not. */
function withOthers(answer: KeyAnswer & { kind: 'found' }, seen: readonly SeenKey[]): KeyAnswer {
  if (isWithdrawn(answer.record)) return answer;
  const beside = answer.others ?? [];
  const replaced = seen
    .filter(({ record }) => record !== answer.record && !beside.includes(record))
    .filter(isEstablished)
    .map(key => key.record);
  const others = [...beside, ...replaced].slice(0, mostOthers);
  return others.length === 0 ? answer : { ...answer, others };
}

/** Seen an hour after a withdrawal: before that another process may have written what its resolver still had. */
function isValid({ last_seen, withdrawn_at }: SeenKey): boolean {
  return withdrawn_at === null || last_seen >= later(withdrawn_at, establishedAfter);
}

function isEstablished({ first_seen, last_seen }: SeenKey): boolean {
  return last_seen >= later(first_seen, establishedAfter);
}

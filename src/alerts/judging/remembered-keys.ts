import { BoundedMap } from '../../base/bounded-map.ts';
import { day, hour, later, minute, second } from '../../base/clock.ts';
import { DnsError } from '../../base/network/dns.ts';
import type { World } from '../../base/world.ts';
import { isWithdrawn } from '../origin/check-signature.ts';
import { chooseRecord, type KeyAnswer, type KeyPurpose, mostOthers } from '../origin/key-source.ts';
import { alertMetrics } from './metrics.ts';
import { rememberKey, type SeenKey, seenKeys, staleKeyNames } from './queries/keys.ts';

/** A key that left DNS still verifies mails that arrived up to this long after it was last seen: mail can be late. */
export const remembered = 48 * hour;

/** An answer is asked for again after this long; such records usually have a longer TTL. */
const answerFor = 5 * minute;
/** A missing or wrong key is asked for only this often, so that forgers cannot flood the bank's DNS. */
const absenceFor = 1 * second;
/** A replaced or removed key counts only if it was seen for this long. Forged DNS answers last only minutes. */
const establishedAfter = 1 * hour;
const mostAnswers = 2000;
/**
 * DNS queries per minute that may find no key, for one signing domain and one business. New names and repeated names
 * have separate limits. So invented selectors, here or at another business, do not delay a bank's new selector. A name
 * that ever had a key is always asked for.
 */
const mostNew = 1_200;
const mostAgain = 600;
const inVainFor = 1 * minute;
/** How many names without a key are remembered, over all businesses. */
const mostAbsent = 50_000;
const absentFor = 1 * day;
/** A selector that no mail used for this long is no longer asked for. */
const refreshFor = 60 * day;
const namesAtOnce = 200;

type KeyWorld = Pick<World, 'sql' | 'dns' | 'clock' | 'log' | 'metrics'>;

export type RememberedKeys = ReturnType<typeof rememberedKeys>;

/** Gets DKIM keys from DNS and remembers the banks' keys, so that a late mail survives a key rotation. */
export function rememberedKeys(world: KeyWorld) {
  const answers = new BoundedMap<string, Remembered>(mostAnswers);
  const inVain = new BoundedMap<string, { since: number; count: number }>(mostAnswers);
  const absent = new BoundedMap<string, number>(mostAbsent);
  const metrics = alertMetrics(world.metrics);

  /** A `KeySource`; `arrivedAt` is when the mail was first seen, by default now. */
  async function ask(
    name: string,
    purpose: KeyPurpose,
    arrivedAt = world.clock.now(),
    merchantId = 0,
  ): Promise<KeyAnswer> {
    const { answer, seen } = await answerFromDns(name.toLowerCase(), purpose, merchantId);
    return purpose === 'unlisted' ? answer : believe(answer, seen, arrivedAt);
  }

  /** The answer of `ask` for a bank's key without DNS or waiting; null if that is not possible. */
  function known(name: string, arrivedAt: Date): KeyAnswer | null {
    const entry = answers.get(name);
    if (!entry?.found || world.clock.now().getTime() >= entry.until) return null;
    return believe(entry.found.answer, entry.found.seen, arrivedAt);
  }

  async function answerFromDns(name: string, purpose: KeyPurpose, merchantId: number): Promise<Known> {
    const now = world.clock.now().getTime();
    // A stranger may ask for a bank's key in another bank's name; that answer is kept apart from the bank's own.
    const id = purpose === 'unlisted' ? `unlisted ${name}` : name;
    const known = answers.get(id);
    const isOld = purpose === 'again' && known && now >= known.askedAt + absenceFor;
    if (known && now < known.until && !isOld) return await known.answer;
    const entry: Remembered = {
      answer: askDns(name, purpose, merchantId),
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

  async function askDns(name: string, purpose: KeyPurpose, merchantId: number): Promise<Known> {
    const domain = name.slice(name.indexOf('._domainkey.'));
    const isAgain = world.clock.now().getTime() < (absent.get(name) ?? 0);
    const ration = `${isAgain ? 'again' : 'new'} ${merchantId} ${domain}`;
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
    // Only the banks' own keys are remembered, because an unlisted domain may be an attacker's.
    if (purpose === 'unlisted') return { answer, seen: [] };
    let added = 0;
    if (answer.kind === 'found')
      for (const record of [answer.record, ...(answer.others ?? [])])
        if ((await rememberKey(world.sql, name, record, world.clock.now())) && !isWithdrawn(record)) added++;
    const seen = await seenKeys(world.sql, name, 2 * mostOthers);
    if (added > 0 && seen.length > added) metrics.keyChanges.inc(added);
    if (seen.length === 0) noteAbsent(name, ration);
    return { answer, seen };
  }

  function noteAbsent(name: string, ration: string): void {
    countInVain(ration, 1);
    absent.set(name, world.clock.now().getTime() + absentFor);
  }

  /** Adds `more`, and returns the count of the current minute. */
  function countInVain(ration: string, more: number): number {
    const now = world.clock.now().getTime();
    const known = inVain.get(ration);
    const { since, count } = known && now < known.since + inVainFor ? known : { since: now, count: 0 };
    inVain.set(ration, { since, count: count + more });
    return count + more;
  }

  /** Asks for every selector in use once a day, so that a key's last sighting is at most a day before it left DNS. */
  async function refresh(): Promise<void> {
    const now = world.clock.now();
    const names = await staleKeyNames(world.sql, later(now, -day), later(now, -refreshFor), namesAtOnce);
    for (const name of names) {
      await askDns(name, 'bank', 0).catch(error =>
        world.log.warn({ err: error, name }, "a bank's key could not be refreshed from DNS"),
      );
    }
  }
  return { ask, known, refresh };
}

type Known = { answer: KeyAnswer; seen: SeenKey[] };
type Remembered = { answer: Promise<Known>; found: Known | null; askedAt: number; until: number };

function believe(answer: KeyAnswer, seen: readonly SeenKey[], arrivedAt: Date): KeyAnswer {
  const inTime = seen.filter(key => arrivedAt <= later(key.last_seen, remembered) && isValid(key));
  if (answer.kind === 'found') return withOthers(answer, inTime);
  // DNS now says that there is no key. A key that was there only briefly may have been forged.
  const believed = answer.kind === 'temporary' ? inTime : inTime.filter(isEstablished);
  const [latest, ...earlier] = believed;
  return latest === undefined ? answer : withOthers({ kind: 'found', record: latest.record }, earlier);
}

/** After a bank replaces a key under its name, mails with the old key are still in transit; not after a withdrawal. */
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

/** Seen an hour after a withdrawal. Before that, another process may have read its resolver's cache. */
function isValid({ last_seen, withdrawn_at }: SeenKey): boolean {
  return withdrawn_at === null || last_seen >= later(withdrawn_at, establishedAfter);
}

function isEstablished({ first_seen, last_seen }: SeenKey): boolean {
  return last_seen >= later(first_seen, establishedAfter);
}

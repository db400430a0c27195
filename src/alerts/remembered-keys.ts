import { day, hour, later, minute, second } from '../clock.ts';
import { DnsError } from '../network/dns.ts';
import type { World } from '../world.ts';
import type { KeyAnswer, KeyPurpose } from './key-source.ts';
import { latestKey, rememberKey, staleKeyNames } from './queries/keys.ts';
import { chooseRecord } from './read-zone.ts';

/** A key that left DNS verifies mails that arrived up to this long after we last saw it there: mail can be late. */
export const remembered = 48 * hour;

/** An answer is asked for again after this; DNS time-to-lives of such records are longer. */
const answerFor = 5 * minute;
/** A missing key is asked for once in a while only: whoever invents selectors must not flood the bank's DNS. */
const absenceFor = 1 * second;
const mostAnswers = 2000;
/** A selector that no mail used for so long is not asked for any more. */
const refreshFor = 60 * day;
const namesAtOnce = 200;

type KeyWorld = Pick<World, 'sql' | 'dns' | 'clock' | 'log'>;

/** Fits `KeySource`; `arrivedAt` is when the mail was first seen, now if it is not told. */
export type RememberedKeys = {
  ask(name: string, purpose: KeyPurpose, arrivedAt?: Date): Promise<KeyAnswer>;
  /** Looks at every selector in use once a day, so that a key is remembered until shortly before it went. */
  refresh(): Promise<void>;
};

/** DKIM keys from DNS; what the banks' keys were is remembered, so that a rotated key does not lose a late mail. */
export function rememberedKeys(world: KeyWorld): RememberedKeys {
  const answers = new Map<string, { answer: Promise<KeyAnswer>; until: number }>();

  async function ask(name: string, purpose: KeyPurpose, arrivedAt = world.clock.now()): Promise<KeyAnswer> {
    const answer = await answerFromDns(name.toLowerCase(), purpose);
    if (answer.kind === 'found' || purpose !== 'bank') return answer;
    const key = await latestKey(world.sql, name.toLowerCase());
    const inTime = key !== null && arrivedAt <= later(key.last_seen, remembered);
    return inTime ? { kind: 'found', record: key.record } : answer;
  }

  async function answerFromDns(name: string, purpose: KeyPurpose): Promise<KeyAnswer> {
    const now = world.clock.now().getTime();
    const known = answers.get(name);
    if (known && now < known.until) return await known.answer;
    const entry = { answer: askDns(name, purpose), until: now + answerFor };
    answers.delete(name);
    answers.set(name, entry);
    for (const oldest of answers.keys()) {
      if (answers.size <= mostAnswers) break;
      answers.delete(oldest);
    }
    try {
      const answer = await entry.answer;
      if (answer.kind !== 'found') entry.until = now + absenceFor;
      return answer;
    } catch (error) {
      entry.until = now;
      throw error;
    }
  }

  async function askDns(name: string, purpose: KeyPurpose): Promise<KeyAnswer> {
    let answer: KeyAnswer;
    try {
      answer = chooseRecord(await world.dns.lookupText(name));
    } catch (error) {
      if (error instanceof DnsError) return { kind: error.kind };
      throw error;
    }
    // Only the banks' own keys: an unlisted domain may be an attacker's.
    if (answer.kind === 'found' && purpose === 'bank') {
      await rememberKey(world.sql, name, answer.record, world.clock.now());
    }
    return answer;
  }

  async function refresh(): Promise<void> {
    const now = world.clock.now();
    const names = await staleKeyNames(world.sql, later(now, -day), later(now, -refreshFor), namesAtOnce);
    for (const name of names) {
      await askDns(name, 'bank').catch(error =>
        world.log.warn({ err: error, name }, 'a key could not be refreshed'),
      );
    }
  }
  return { ask, refresh };
}

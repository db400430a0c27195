import { createHash } from 'node:crypto';
import { hour, later, minute } from '../../base/clock.ts';
import { networkOf } from '../../base/http/network-of.ts';
import type { World } from '../../base/world.ts';
import { countGuess, forgetGuesses, forgetOldGuesses } from './queries/guesses.ts';

/** How many wrong guesses there may be within a window, by whom and against whom. */
const limits = {
  /** One address against one account: a person who forgot a password. */
  pair: { most: 10, within: 15 * minute },
  /** One address against everybody: a machine that tries a list. An office shares one, so it is wider. */
  address: { most: 60, within: 15 * minute },
  /** Everybody against one account: many machines. Wide, because it also locks the person out for a while. */
  account: { most: 100, within: 1 * hour },
  /** The second factor has a million values and the password was right: few. */
  code: { most: 6, within: 15 * minute },
  /** Mails to one person that somebody else can cause, for one reason. */
  mail: { most: 5, within: 1 * hour },
  /** Mails to strangers that one business can cause. */
  mailing: { most: 30, within: 1 * hour },
  /** Logins at a mail server that do not work: its owner would shut us out, and every other shop with us. */
  mailbox: { most: 20, within: 1 * hour },
  /** Orders that one address opens by one link: a phone's network is shared by many. */
  link: { most: 20, within: 15 * minute },
  /** And by all links: apart from `address`, or customers in the shop's own network would lock its owner out. */
  links: { most: 60, within: 15 * minute },
  /** Mails that a business uploads to see what we make of them: each costs a thread. */
  trying: { most: 30, within: 1 * hour },
  /** References that customers give on payment pages. Wide, because a mobile network hides thousands behind one address. */
  claim: { most: 100, within: 1 * hour },
  /** Payment pages that one network reports, and reports of the pages of one business. */
  report: { most: 10, within: 1 * hour },
  reports: { most: 50, within: 24 * hour },
} as const;

export type Guess = { kind: keyof typeof limits; whom: string };

/** The three subjects that a guess at a password counts against, the account last: see `mayGuess`. */
export function passwordGuesses(email: string, address: string): Guess[] {
  const [account, network] = [email.toLowerCase(), networkOf(address)];
  return [
    { kind: 'address', whom: network },
    { kind: 'pair', whom: `${network} ${account}` },
    { kind: 'account', whom: account },
  ];
}

export function addressGuess(address: string): Guess {
  return { kind: 'address', whom: networkOf(address) };
}

/** Each reason counts by itself: somebody who opens accounts in another's name must not use up their recovery mails. */
export function mailGuess(reason: 'recover' | 'open' | 'invite' | 'code', email: string): Guess {
  return { kind: 'mail', whom: `${reason} ${email.toLowerCase()}` };
}

/** A mail that somebody of a business sends to an address of their choice. */
export function strangerGuesses(reason: 'invite' | 'code', email: string, merchantId: number): Guess[] {
  return [mailGuess(reason, email), { kind: 'mailing', whom: String(merchantId) }];
}

/** A try at a mailbox's password, by a business and against that mailbox. */
export function mailboxGuesses(address: string, merchantId: number): Guess[] {
  return [
    { kind: 'mailbox', whom: `by ${merchantId}` },
    { kind: 'mailbox', whom: `at ${address.toLowerCase()}` },
  ];
}

/**
 * Counts a guess before it is looked at, so that a hundred at once are a hundred guesses. False when there were too
 * many; what is refused by one subject is not counted against the next, or one machine could go on knocking until
 * the account is closed for its owner too. Stored in the database: every process counts together, and a restart
 * forgets nothing.
 */
export async function mayGuess(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  guesses: readonly Guess[],
): Promise<boolean> {
  const now = clock.now();
  for (const guess of guesses) {
    const { most, within } = limits[guess.kind];
    const failures = await countGuess(sql, subjectOf(guess), now, later(now, within));
    if (failures === 1) await forgetOldGuesses(sql, now);
    if (failures > most) return false;
  }
  return true;
}

/**
 * The guess was right, so it does not count. The address keeps its count, or one known password would buy endless
 * tries.
 */
export async function forgive({ sql }: Pick<World, 'sql'>, guesses: readonly Guess[]): Promise<void> {
  for (const guess of guesses)
    await forgetGuesses(sql, subjectOf(guess), guess.kind === 'address' ? 1 : null);
}

/** Hashed: addresses and mail addresses of strangers need not lie around. */
function subjectOf({ kind, whom }: Guess): Buffer {
  return createHash('sha256').update(`${kind}\n${whom}`).digest();
}

import { createHash } from 'node:crypto';
import { hour, later, minute } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import { networkOf } from '../../base/http/network-of.ts';
import type { World } from '../../base/world.ts';

const limits = {
  /** One address against one account, such as a person who forgot a password. */
  pair: { most: 10, within: 15 * minute },
  /** One address against all accounts, such as a machine with a list. Wider, because an office shares one address. */
  address: { most: 60, within: 15 * minute },
  /** All addresses against one account, such as a botnet. Wide, because it also locks the owner out for a while. */
  account: { most: 100, within: 1 * hour },
  /** The second factor has only a million values, and the password was right. */
  code: { most: 6, within: 15 * minute },
  /** Mails for one reason that others can cause to one person. */
  mail: { most: 5, within: 1 * hour },
  mailing: { most: 30, within: 1 * hour },
  /** Failed logins at a mail server. Its owner could block us, and every other shop with us. */
  mailbox: { most: 20, within: 1 * hour },
  /** Orders that one address opens by one link. Mobile customers share addresses. */
  link: { most: 20, within: 15 * minute },
  /** For all links. Not counted as `address`, or customers in the shop's network could lock out its owner. */
  links: { most: 60, within: 15 * minute },
  /** Mails that a business uploads as a test; each costs a thread. */
  trying: { most: 30, within: 1 * hour },
  /** References entered on payment pages. Wide, because a mobile network hides thousands behind one address. */
  claim: { most: 100, within: 1 * hour },
  /** `report`: reports from one network. `reports`: reports about one business. */
  report: { most: 10, within: 1 * hour },
  reports: { most: 50, within: 24 * hour },
} as const;

export type Guess = { kind: keyof typeof limits; whom: string };

/** The subjects that a password guess counts against. The account is last: see `mayGuess`. */
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

/** One count per reason, or opening accounts in another's name could use up their recovery mails. */
export function mailGuess(reason: 'recover' | 'open' | 'invite' | 'code', email: string): Guess {
  return { kind: 'mail', whom: `${reason} ${email.toLowerCase()}` };
}

/** Limits a mail that a business sends to an address of its choice. */
export function strangerGuesses(reason: 'invite' | 'code', email: string, merchantId: number): Guess[] {
  return [mailGuess(reason, email), { kind: 'mailing', whom: String(merchantId) }];
}

export function mailboxGuesses(address: string, merchantId: number): Guess[] {
  return [
    { kind: 'mailbox', whom: `by ${merchantId}` },
    { kind: 'mailbox', whom: `at ${address.toLowerCase()}` },
  ];
}

/**
 * Counts a guess before it is checked, so a hundred parallel guesses count a hundred. Returns false above a limit. A
 * guess refused for one subject does not count against the next, or one machine could lock the owner out. The database
 * stores the counts for all processes and across restarts.
 */
export async function mayGuess(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  guesses: readonly Guess[],
): Promise<boolean> {
  const now = clock.now();
  for (const guess of guesses) {
    const { most, within } = limits[guess.kind];
    const failures = await countGuess(sql, subjectOf(guess), now, later(now, within));
    if (failures === 1)
      await sql`
        delete from guesses where subject in (
          select subject from guesses where window_ends <= ${now} limit 100 for update skip locked)`;
    if (failures > most) return false;
  }
  return true;
}

/** Takes back a right guess. The address keeps its count, or one known password would allow endless guesses. */
export async function forgive({ sql }: Pick<World, 'sql'>, guesses: readonly Guess[]): Promise<void> {
  for (const guess of guesses)
    await sql`
      update guesses set failures = greatest(0, failures - coalesce(${guess.kind === 'address' ? 1 : null}::int, failures))
      where subject = ${subjectOf(guess)}`;
}

/** Hashed, so that strangers' addresses are not stored. */
function subjectOf({ kind, whom }: Guess): Buffer {
  return createHash('sha256').update(`${kind}\n${whom}`).digest();
}

async function countGuess(sql: Queryable, subject: Buffer, now: Date, windowEnds: Date) {
  const [row] = await sql<{ failures: number }[]>`
    insert into guesses (subject, failures, window_ends) values (${subject}, 1, ${windowEnds})
    on conflict (subject) do update set
      failures = case when guesses.window_ends <= ${now} then 1 else guesses.failures + 1 end,
      window_ends = case when guesses.window_ends <= ${now} then excluded.window_ends else guesses.window_ends end
    returning failures`;
  return row!.failures;
}

import { day } from '../../base/clock.ts';
import { openCountCalls } from '../../base/http/count-calls.ts';
import type { World } from '../../base/world.ts';
import { mailOperators } from '../../business/accounts/mail-operators.ts';

/** One process passes on this many mails a day, so that operators are not flooded. */
const mostInADay = 20;
/** Enough to see the sender and the subject matter. */
const mostShown = 4_000;

/** Whether the recipient is the postmaster, which every mail server must have (RFC 5321 §4.5.1). */
export function isPostmaster(address: string, domain: string): boolean {
  return address === 'postmaster' || address === `postmaster@${domain.toLowerCase()}`;
}

export type TakePostmasterMail = (raw: Buffer) => Promise<void>;

/** Mails the operators a postmaster mail as plain text. The mail itself is not stored. */
export function openPostmaster(
  world: Pick<World, 'sql' | 'clock' | 'config' | 'secrets' | 'log'>,
): TakePostmasterMail {
  const count = openCountCalls(mostInADay, 1 * day, 1);
  return async raw => {
    if (world.config.smtpUrl === null || count('postmaster') !== null) {
      world.log.warn({ bytes: raw.length }, 'a mail to the postmaster was not passed on to operators');
      return;
    }
    const shown = raw
      .subarray(0, mostShown)
      .toString('utf8')
      .toWellFormed()
      .replace(/[^\P{Cc}\n\t]/gu, '');
    await world.sql.begin(tx =>
      mailOperators(tx, world, ({ mails: { postmaster } }) => ({
        subject: postmaster.subject,
        text: `${postmaster.text}\n${shown.replace(/^/gm, '> ')}\n`,
      })),
    );
  };
}

import { day, later } from '../clock.ts';
import { deleteOldMails, giveUpUselessMails } from '../mails/queries.ts';
import { deleteUselessPushes } from '../pushes/queries.ts';
import type { World } from '../world.ts';
import { deleteOldLinks } from './queries/links.ts';
import { deleteEndedSessions } from './queries/sessions.ts';
import { idleTime, longestTime } from './session.ts';

const keptFor = 30 * day;

/** Forgets links, mails, pushes and sessions that have long been over. */
export async function sweepAccounts({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await deleteOldLinks(sql, later(now, -keptFor));
  await giveUpUselessMails(sql, now);
  await deleteOldMails(sql, later(now, -keptFor));
  await deleteUselessPushes(sql, now);
  await deleteEndedSessions(sql, {
    idleBefore: later(now, -idleTime),
    startedBefore: later(now, -longestTime),
  });
}

import { later, minute, second, stopwatch } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { keptFor } from '../../base/retention.ts';
import type { World } from '../../base/world.ts';
import { giveUpUselessMails } from '../../outbox/mails/queries.ts';
import { deleteUselessPushes } from '../../outbox/pushes/queries.ts';
import { removeMerchants } from './remove-merchants.ts';
import { sessionLimits } from './session.ts';
import { sweepTaken } from './taken-names.ts';

const pause = 10 * minute;
/** Limits a turn, so that the process can stop. The next turn follows at once. */
const turnLimit = 4 * second;

export function startAccountWork(
  world: Pick<World, 'sql' | 'clock' | 'secrets' | 'log' | 'config' | 'cells' | 'cell'>,
): {
  stop(): Promise<void>;
} {
  let swept: Awaited<ReturnType<typeof sweepTaken>> = null;
  return keepWorking(world, { what: 'removing businesses', pause }, async () => {
    const elapsed = stopwatch();
    const { isDone } = await removeMerchants(world, () => elapsed() > turnLimit);
    await sweepAccounts(world);
    if (world.cell === 0) swept = await sweepTaken(world, swept);
    return isDone ? pause : 0;
  });
}

export async function sweepAccounts({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql`delete from account_links where expires_at < ${later(now, -keptFor('sent_mails'))}`;
  await giveUpUselessMails(sql, now);
  await sql`delete from mails where created_at < ${later(now, -keptFor('sent_mails'))}`;
  await deleteUselessPushes(sql, now);
  await sql`delete from key_reads where day < ${later(now, -keptFor('key_reads'))}::date`;
  const { idleBefore, startedBefore } = sessionLimits(now);
  await sql`delete from sessions where last_seen_at <= ${idleBefore} or created_at <= ${startedBefore}`;
}

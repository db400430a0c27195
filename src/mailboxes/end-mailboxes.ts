import type { World } from '../world.ts';
import { deleteEndedMailboxes } from './queries/settings.ts';

/** Mailboxes that were let go of while orders were open, once none of those can be paid any more. */
export async function endMailboxes({ sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>): Promise<void> {
  for (const merchantId of await deleteEndedMailboxes(sql, clock.now())) {
    log.info({ merchantId }, 'a mailbox was disconnected: its last open order is over');
  }
}

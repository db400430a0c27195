import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { beginProbing } from '../addresses/queries/addresses.ts';
import { mailboxChannel } from './queries/leases.ts';
import { deleteEndedMailboxes, deleteMailbox, selectLastAwaited, setReadUntil } from './queries/settings.ts';

/** What became of it. `readUntil` is null where nobody can still pay: then it is gone already. */
export type Disconnected = { readUntil: Date | null };

/**
 * Forgets the mailbox, its credential and how far it was read; alerts already stored stay. While a customer may be
 * paying, it is first read until the last open order's time is over (`endMailboxes`), so that the payment is confirmed.
 * Null when there is none.
 */
export async function disconnectMailbox(
  tx: Transaction,
  merchantId: number,
  now: Date,
): Promise<Disconnected | null> {
  const readUntil = await selectLastAwaited(tx, merchantId, now);
  const was = readUntil ? await setReadUntil(tx, merchantId, readUntil) : await deleteMailbox(tx, merchantId);
  // From now on whatever still comes comes by forwarding, where there is one.
  await beginProbing(tx, merchantId, { address: null, seen: true, now });
  await tx.notify(mailboxChannel, 'changed');
  return was ? { readUntil } : null;
}

/** Ends mailboxes that were disconnected while orders were open, once none of those orders can be paid any more. */
export async function endMailboxes({ sql, clock, log }: Pick<World, 'sql' | 'clock' | 'log'>): Promise<void> {
  for (const merchantId of await deleteEndedMailboxes(sql, clock.now())) {
    log.info({ merchantId }, 'a mailbox was disconnected: its last open order is over');
  }
}

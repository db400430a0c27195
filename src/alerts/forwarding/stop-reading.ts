import type { Transaction } from '../../base/database/connect.ts';
import { disconnectMailbox } from '../mailboxes/disconnect-mailbox.ts';
import { closeForwarding } from './open-forwarding.ts';

/** A business leaves: its mailbox is disconnected and nothing more is taken for it. */
export async function stopReading(tx: Transaction, merchantId: number, now: Date): Promise<void> {
  await disconnectMailbox(tx, merchantId, now);
  await closeForwarding(tx, merchantId, now);
}

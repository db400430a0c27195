import type { Transaction } from '../../base/database/connect.ts';
import { closeForwarding } from '../forwarding/open-forwarding.ts';
import { disconnectMailbox } from './disconnect-mailbox.ts';

/** A business leaves: its mailbox is disconnected and nothing more is taken for it. */
export async function stopReading(tx: Transaction, merchantId: number, now: Date): Promise<void> {
  await disconnectMailbox(tx, merchantId, now);
  await closeForwarding(tx, merchantId, now);
}

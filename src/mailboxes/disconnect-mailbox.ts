import type { Transaction } from '../database/connect.ts';
import { deleteMailbox } from './queries/settings.ts';

/** Forgets the mailbox, its credential and how far it was read. Alerts already stored stay. */
export async function disconnectMailbox(tx: Transaction, merchantId: number): Promise<boolean> {
  const was = await deleteMailbox(tx, merchantId);
  await tx.notify('mailboxes', 'changed');
  return was;
}

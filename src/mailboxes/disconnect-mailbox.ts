import type { World } from '../world.ts';
import { deleteMailbox } from './queries/settings.ts';

/** Forgets the mailbox, its credential and how far it was read. Alerts already stored stay. */
export async function disconnectMailbox({ sql }: Pick<World, 'sql'>, merchantId: number): Promise<boolean> {
  return await sql.begin(async tx => {
    const was = await deleteMailbox(tx, merchantId);
    await tx.notify('mailboxes', 'changed');
    return was;
  });
}

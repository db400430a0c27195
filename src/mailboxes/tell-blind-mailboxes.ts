import { later, minute } from '../clock.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import { because } from '../verdicts.ts';
import type { World } from '../world.ts';
import { blindMailboxes, seeingAgain, setBlindTold } from './queries/states.ts';

/** A shorter gap mends itself; after this the merchant should know that payments are not being seen. */
const tellAfter = 5 * minute;

/** Tells an owner once that the mailbox is blind, and once that it sees again. The telling and its note are one. */
export async function tellBlindMailboxes({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql.begin(async tx => {
    for (const { merchant_id, address, last_error, since } of await blindMailboxes(
      tx,
      later(now, -tellAfter),
    )) {
      await setBlindTold(tx, merchant_id, now);
      await notifyOwner(tx, {
        merchantId: merchant_id,
        kind: 'mailbox_blind',
        facts: { since, address, cause: last_error ?? because('server_silent') },
        dedupeKey: `mailbox_blind:${now.toISOString()}`,
        now,
      });
    }
    for (const { merchant_id, address, blind_told_at } of await seeingAgain(tx)) {
      await setBlindTold(tx, merchant_id, null);
      await notifyOwner(tx, {
        merchantId: merchant_id,
        kind: 'mailbox_seeing',
        facts: { address },
        dedupeKey: `mailbox_seeing:${blind_told_at.toISOString()}`,
        now,
      });
    }
  });
}

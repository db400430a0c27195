import { later, minute } from '../clock.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
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
        subject: `Payments are not being confirmed: ${address} cannot be read`,
        text: [
          `Since ${since.toISOString()} the mailbox ${address} could not be read, so payments are not confirmed.`,
          last_error ?? 'The mail server does not answer.',
          'Alerts that arrive meanwhile are not lost: they are read as soon as the mailbox works again.',
        ].join('\n\n'),
        dedupeKey: `mailbox_blind:${now.toISOString()}`,
        now,
      });
    }
    for (const { merchant_id, address, blind_told_at } of await seeingAgain(tx)) {
      await setBlindTold(tx, merchant_id, null);
      await notifyOwner(tx, {
        merchantId: merchant_id,
        kind: 'mailbox_seeing',
        subject: `${address} is being read again`,
        text: `The mailbox ${address} works again. Alerts that arrived meanwhile have been read.`,
        dedupeKey: `mailbox_seeing:${blind_told_at.toISOString()}`,
        now,
      });
    }
  });
}

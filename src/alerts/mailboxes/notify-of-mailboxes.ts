import { later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { notifyOwner } from '../../outbox/notices/notify-owner.ts';
import type { News } from '../../outbox/notices/queries.ts';
import { because } from '../../texts/verdicts.ts';
import {
  blindMailboxes,
  seeingAgain,
  selectUnnotified,
  setBlindNotified,
  setUnconfirmableNotified,
} from './queries/states.ts';

/** A shorter gap ends by itself. After this the merchant should know that payments are not being seen. */
const blindFor = 5 * minute;

/** Notifies an owner once that the mailbox is unreachable and once that it can be read again, and records that. */
export async function notifyBlindMailboxes({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql.begin(async tx => {
    const blind = await blindMailboxes(tx, later(now, -blindFor));
    for (const { merchant_id, address, last_error, since } of blind) {
      const cause = last_error ?? because('server_silent');
      await setBlindNotified(tx, merchant_id, now);
      await notifyOnce(
        tx,
        merchant_id,
        { kind: 'mailbox_blind', facts: { since, address, cause } },
        now,
        now,
      );
    }
    for (const { merchant_id, address, blind_told_at } of await seeingAgain(tx)) {
      await setBlindNotified(tx, merchant_id, null);
      await notifyOnce(tx, merchant_id, { kind: 'mailbox_seeing', facts: { address } }, blind_told_at, now);
    }
  });
}

/** Notifies an owner, once until a mailbox is connected, that payments of new orders cannot be confirmed. */
export async function notifyUnconfirmable({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql.begin(async tx => {
    for (const { merchant_id, since } of await selectUnnotified(tx)) {
      await setUnconfirmableNotified(tx, merchant_id, now);
      await notifyOnce(tx, merchant_id, { kind: 'orders_unconfirmable', facts: { since } }, since, now);
    }
  });
}

/** Each `since` gets one notice. */
export async function notifyOnce(tx: Transaction, merchantId: number, news: News, since: Date, now: Date) {
  await notifyOwner(tx, { ...news, merchantId, dedupeKey: `${news.kind}:${since.toISOString()}`, now });
}

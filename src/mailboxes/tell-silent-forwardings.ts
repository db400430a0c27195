import { later, minute } from '../clock.ts';
import { notifyOwner } from '../notices/notify-owner.ts';
import type { World } from '../world.ts';
import { heardAgain, setSilenceTold, silentForwardings } from './queries/probes.ts';

/** A provider may hold a mail back for some minutes. */
const tellAfter = 15 * minute;

/** Tells an owner once that nothing comes through the forwarding, and once that it does again. The telling and its note are one. */
export async function tellSilentForwardings({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql.begin(async tx => {
    const told = new Set<number>();
    for (const { merchant_id, address, forward_to, since } of await silentForwardings(
      tx,
      later(now, -tellAfter),
    )) {
      if (told.has(merchant_id)) continue;
      told.add(merchant_id);
      await setSilenceTold(tx, merchant_id, now);
      await notifyOwner(tx, {
        merchantId: merchant_id,
        kind: 'forwarding_silent',
        facts: { since, address, forward_to },
        dedupeKey: `forwarding_silent:${now.toISOString()}`,
        now,
      });
    }
    for (const { merchant_id, silence_told_at } of await heardAgain(tx)) {
      await setSilenceTold(tx, merchant_id, null);
      await notifyOwner(tx, {
        merchantId: merchant_id,
        kind: 'forwarding_heard',
        facts: {},
        dedupeKey: `forwarding_heard:${silence_told_at.toISOString()}`,
        now,
      });
    }
  });
}

import { later, minute } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { tell } from '../mailboxes/tell-of-ways.ts';
import { heardAgain, setSilenceTold, silentForwardings } from './queries/probes.ts';

/** A provider may hold a mail back for some minutes. */
const silentFor = 15 * minute;

/** Tells an owner once that nothing comes through the forwarding, and once that it does again. */
export async function tellSilentForwardings({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql.begin(async tx => {
    const told = new Set<number>();
    for (const { merchant_id, ...facts } of await silentForwardings(tx, later(now, -silentFor))) {
      if (told.has(merchant_id)) continue;
      told.add(merchant_id);
      await setSilenceTold(tx, merchant_id, now);
      await tell(tx, merchant_id, { kind: 'forwarding_silent', facts }, now, now);
    }
    for (const { merchant_id, silence_told_at } of await heardAgain(tx)) {
      await setSilenceTold(tx, merchant_id, null);
      await tell(tx, merchant_id, { kind: 'forwarding_heard', facts: {} }, silence_told_at, now);
    }
  });
}

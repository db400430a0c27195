import type { World } from '../world.ts';
import { clearRaw } from './queries/forget-raw.ts';

const batch = 1000;

/** Raw mails are kept for the plan's history window; after it only the facts read from them. In batches, each its own. */
export async function forgetRawMails({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const count = await clearRaw(sql, clock.now(), batch);
    forgotten += count;
    if (count < batch) return forgotten;
  }
}

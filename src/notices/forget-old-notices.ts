import type { World } from '../world.ts';
import { deleteOldNotices } from './queries.ts';

const batch = 1000;

/** What was told leaves with what it was about: after the plan's history window, like raw mails. */
export async function forgetOldNotices({ sql, clock }: Pick<World, 'sql' | 'clock'>): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const count = await deleteOldNotices(sql, clock.now(), batch);
    forgotten += count;
    if (count < batch) return forgotten;
  }
}

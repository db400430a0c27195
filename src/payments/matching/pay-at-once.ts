import type { World } from '../../base/world.ts';
import type { Confirmation, Credit } from './credit.ts';
import { doubtAboutAccount } from './doubt-about-account.ts';
import { payTogether, writePayment } from './pay-together.ts';
import { selectHolder } from './queries/payments.ts';

/**
 * Nearly every payment is clean, and takes two round trips: a look without a lock, which only chooses the way, and the
 * function that locks, asks every row and gate again and writes all of it. Null: not clean, nothing is written, and the
 * careful way decides. The function finds the order and its account exactly as the look saw them, or pays nothing: so
 * what was judged and written out in between is true of them.
 */
export async function payAtOnce(
  world: Pick<World, 'sql' | 'clock' | 'baseUrl'>,
  credit: Credit,
): Promise<Confirmation | null> {
  const { sql, clock } = world;
  const now = clock.now();
  const holder = await selectHolder(sql, credit, now);
  if (!holder || holder.gate !== null || credit.signatureIds.length === 0) return null;
  if (doubtAboutAccount(credit, holder) !== null) return null;
  const isPaid = await payTogether(sql, writePayment(world, credit, holder, now));
  return isPaid ? { outcome: 'paid', orderId: holder.order_id } : null;
}

import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import type { Confirmation, Credit } from './credit.ts';
import { doubtAboutAccount } from './doubt-about-account.ts';
import { newsOf } from './pay-order.ts';
import { creditJson, selectHolder } from './queries/payments.ts';

/** What `pay_at_once` of migration 100 raises when it has written something that must not stay. */
const notClean = 'ML001';

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
  const { merchantId, alertId, signatureIds } = credit;
  const now = clock.now();
  const holder = await selectHolder(sql, credit, now);
  if (!holder || holder.gate !== null || signatureIds.length === 0) return null;
  if (doubtAboutAccount(credit, holder) !== null) return null;
  const { order_id: orderId, version } = holder;
  const reason = because('paid', { order: orderId });
  try {
    const [row] = await sql<{ is_paid: boolean }[]>`
      select pay_at_once(${merchantId}, ${alertId}, ${creditJson(sql, credit)}, ${orderId}, ${version}, ${now},
        ${reason.code}, ${sql.json(reason.facts)}, ${newsOf(sql, world, credit, holder, now)}) as is_paid`;
    return row!.is_paid ? { outcome: 'paid', orderId } : null;
  } catch (error) {
    if ((error as { code?: string }).code === notClean) return null;
    throw error;
  }
}

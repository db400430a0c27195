import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import { beginSettling, claimCredit, type SettlingWorld } from './claim-credit.ts';
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
  world: SettlingWorld & Pick<World, 'baseUrl'>,
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
  const pay = async (on: Queryable) => {
    const [row] = await on<{ is_paid: boolean }[]>`
      select pay_at_once(${merchantId}, ${alertId}, ${creditJson(on, credit)}, ${orderId}, ${version}, ${now},
        ${reason.code}, ${on.json(reason.facts)}, ${newsOf(on, world, credit, holder, now)}) as is_paid`;
    return row!.is_paid;
  };
  // With several databases it is claimed last, behind the locks of the function.
  const payClaimed = () =>
    beginSettling(world, async tx => {
      if (!(await pay(tx))) return false;
      if ((await claimCredit(tx, credit)) === null) throw Object.assign(new Error(), { code: notClean });
      return true;
    });
  try {
    return (await (world.cells ? payClaimed() : pay(sql))) ? { outcome: 'paid', orderId } : null;
  } catch (error) {
    if ((error as { code?: string }).code === notClean) return null;
    throw error;
  }
}

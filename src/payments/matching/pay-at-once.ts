import type { World } from '../../base/world.ts';
import { beginSettling, claimCredit, type SettlingWorld } from './claim-credit.ts';
import type { Confirmation, Credit } from './credit.ts';
import { doubtAboutAccount } from './doubt-about-account.ts';
import { type CleanPayment, payAlone, payTogether, writePayment } from './pay-together.ts';
import type { Claimable } from './queries/claimed-credits.ts';
import { selectHolder } from './queries/payments.ts';

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
  const now = clock.now();
  const holder = await selectHolder(sql, credit, now);
  if (!holder || holder.gate !== null || credit.signatureIds.length === 0) return null;
  if (doubtAboutAccount(credit, holder) !== null) return null;
  const payment = writePayment(world, credit, holder, now);
  const isPaid = await (world.cells
    ? payClaimed(world, { ...credit, recordedDigits: holder.account_digits }, payment)
    : payTogether(sql, payment));
  return isPaid ? { outcome: 'paid', orderId: holder.order_id } : null;
}

/** With several databases it is claimed last, behind the locks of the function. */
async function payClaimed(world: SettlingWorld, credit: Claimable, payment: CleanPayment): Promise<boolean> {
  const notClean = new Error('not clean');
  try {
    return await beginSettling(world, async tx => {
      if (!(await payAlone(tx, payment)) || (await claimCredit(tx, credit)) === null) throw notClean;
      return true;
    });
  } catch (error) {
    if (error === notClean) return false;
    throw error;
  }
}

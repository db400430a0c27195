import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { because } from '../../texts/verdicts.ts';
import type { Confirmation, Credit } from './credit.ts';
import { doubtAboutAccount } from './doubt-about-account.ts';
import { writeNews } from './pay-order.ts';
import { type Holder, jsonOf, selectHolder, writeCredit } from './queries/payments.ts';

/** What `pay_at_once` of migration 34 raises when it has written something that must not stay. */
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
  const now = clock.now();
  const holder = await selectHolder(sql, credit, now);
  if (!holder || holder.gate !== null || credit.signatureIds.length === 0) return null;
  if (doubtAboutAccount(credit, holder) !== null) return null;
  const payment = writePayment(world, credit, holder, now);
  const isPaid = await payClean(sql, payment);
  return isPaid ? { outcome: 'paid', orderId: holder.order_id } : null;
}

type CleanPayment = ReturnType<typeof writePayment>;

/** A payment that the look found clean, by the names of `pay_at_once`. */
function writePayment(world: Pick<World, 'baseUrl'>, credit: Credit, holder: Holder, now: Date) {
  const { code, facts } = because('paid', { order: holder.order_id });
  return {
    ...{ business: credit.merchantId, alert: credit.alertId, credit: writeCredit(credit), moment: now },
    ...{ chosen_order: holder.order_id, chosen_version: holder.version, code, code_facts: facts },
    ...writeNews(world, credit, holder, now),
  };
}

/** False: not clean, and nothing is written. */
async function payClean(on: Queryable, payment: CleanPayment): Promise<boolean> {
  const { business, alert, credit, chosen_order, chosen_version, moment, code, code_facts } = payment;
  const { event, event_body, destination, roles, told_until } = payment;
  try {
    const [row] = await on<{ is_paid: boolean }[]>`
      select pay_at_once(${business}, ${alert}, ${jsonOf(credit)}::jsonb, ${chosen_order}, ${chosen_version}, ${moment},
        ${code}, ${on.json(code_facts)}, ${event}, ${event_body}, ${destination}, ${roles}, ${told_until}) as is_paid`;
    return row!.is_paid;
  } catch (error) {
    if ((error as { code?: string }).code === notClean) return false;
    throw error;
  }
}

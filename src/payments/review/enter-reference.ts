import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { showIntent } from '../../orders/queries.ts';
import { attachCredit, notifyUnmatched } from '../matching/attach-credit.ts';
import {
  isOrderPaid,
  keepMerchant,
  lockCredit,
  lockOrder,
  moveOrder,
  releaseCredit,
  selectOrderOf,
  selectStanding,
} from '../matching/queries/credits.ts';
import {
  insertTypedReference,
  lockReference,
  markContested,
  selectCreditWith,
  selectWhoTyped,
} from '../matching/queries/typed-references.ts';

/** A customer mistypes once or twice. The limit stops people who try numbers. */
const mostClaims = 3;

type EnterWorld = Pick<World, 'sql' | 'baseUrl'>;

export type TypedReference = { merchantId: number; orderId: string; reference: string; now: Date };

/**
 * Stores the reference that a customer says they paid with. It attaches a genuine credit with this reference, now or
 * when its alert comes (`decide-credit.ts`), and never pays. The customer learns nothing: the answer is always the
 * same.
 */
export async function enterReference(world: EnterWorld, claim: TypedReference): Promise<void> {
  await world.sql.begin(tx => keepClaim(tx, world, claim));
}

async function keepClaim(
  tx: Transaction,
  world: EnterWorld,
  { merchantId, orderId, reference, now }: TypedReference,
): Promise<void> {
  if (!(await keepMerchant(tx, merchantId))) return;
  // Paid is final (R4), so no lock is needed to know it.
  if (await isOrderPaid(tx, merchantId, orderId)) return;
  // An alert that is being confirmed asks for typed references under the same lock, so one of us sees the other.
  await lockReference(tx, merchantId, reference);
  const alertId = await selectCreditWith(tx, merchantId, reference);
  const credit = alertId === null ? undefined : await lockCredit(tx, merchantId, alertId, now);
  const first = alertId === null ? null : await selectOrderOf(tx, merchantId, alertId);
  // Lock by ascending order id, or two customers who name two references for two orders could deadlock.
  if (first !== null && first < orderId) await lockOrder(tx, merchantId, first, now);
  const order = await lockOrder(tx, merchantId, orderId, now);
  if (!order?.is_inside || order.status === 'paid') return;
  const isNew = await insertTypedReference(tx, { merchantId, orderId, reference, now, most: mostClaims });
  if (!isNew) return;
  await showIntent(tx, { merchantId, orderId, now });
  if (alertId === null || !credit) return;
  const [, another] = await selectWhoTyped(tx, { merchantId, reference });
  if (another === undefined)
    await attachCredit(tx, world, { merchantId, alertId, orderId, foundBy: 'reference', by: 'milaan', now });
  else if (first !== null && (await letGo(tx, { merchantId, alertId, orderId: first, now }))) {
    await markContested(tx, merchantId, alertId);
    const { amount_paise, payer, alert_time } = credit;
    await notifyUnmatched(
      tx,
      { merchantId, amount: amount_paise!, payer, alertTime: alert_time ?? now },
      now,
    );
  }
}

/** Two customers now name the money. It leaves the order that the first one's word gave it to, and a person decides. */
async function letGo(
  tx: Transaction,
  { merchantId, alertId, orderId, now }: { merchantId: number; alertId: string; orderId: string; now: Date },
): Promise<boolean> {
  const order = await lockOrder(tx, merchantId, orderId, now);
  const standing = await selectStanding(tx, merchantId, alertId);
  const { state, order_id, found_by, done_by } = standing;
  if (state !== 'attached' || order_id !== orderId || found_by !== 'reference' || done_by !== 'milaan')
    return false;
  if (order?.status !== 'manual_review') return false;
  await releaseCredit(tx, merchantId, orderId, now);
  await moveOrder(tx, merchantId, orderId, { status: 'pending', received: null });
  return true;
}

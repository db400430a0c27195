import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { attachCredit } from '../matching/attach-credit.ts';
import { insertClaim, lockReference, selectCreditWith } from '../matching/queries/claims.ts';
import { isOrderPaid, keepBusiness, lockCredit, lockOrder } from '../matching/queries/credits.ts';

/** A customer mistypes once or twice; whoever tries numbers gets no further. */
const mostClaims = 3;

export type Claim = { merchantId: number; orderId: string; reference: string; now: Date };

/**
 * What a customer says they paid with. It is kept with the order, and attaches a genuine credit with this reference,
 * now or when its alert comes (`payments/matching/hold-for-review.ts`); it never pays. The customer learns nothing from
 * us: they get the same answer whatever became of it.
 */
export async function claimReference(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  { merchantId, orderId, reference, now }: Claim,
): Promise<void> {
  if (!(await keepBusiness(tx, merchantId))) return;
  // Paid is final (R4), so it need not be locked to be known; and a second payment of it holds it while it asks for claims.
  if (await isOrderPaid(tx, merchantId, orderId)) return;
  // An alert that is being confirmed at this moment asks for claims behind the same lock: one of us sees the other.
  await lockReference(tx, merchantId, reference);
  const alertId = await selectCreditWith(tx, merchantId, reference);
  if (alertId !== null) await lockCredit(tx, merchantId, alertId, now);
  const order = await lockOrder(tx, merchantId, orderId, now);
  if (!order?.is_inside || order.status === 'paid') return;
  const isNew = await insertClaim(tx, { merchantId, orderId, reference, now, most: mostClaims });
  if (!isNew || alertId === null) return;
  await attachCredit(tx, world, { merchantId, alertId, orderId, foundBy: 'reference', by: 'milaan', now });
}

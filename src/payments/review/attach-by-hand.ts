import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { type Doer, recordDeed } from '../../business/accounts/record-deed.ts';
import { attachCredit } from '../matching/attach-credit.ts';
import { keepBusiness } from '../matching/queries/credits.ts';
import { type ReviewRefusal, refuse } from '../matching/review-refusal.ts';

/** A person says that this money belongs to this order, which then waits for them to accept or decline it. */
export async function attachByHand(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  doer: Doer,
  { alertId, orderId, isTold = false }: { alertId: string; orderId: string; isTold?: boolean },
): Promise<ReviewRefusal | null> {
  const { merchantId, actor: by, now } = doer;
  if (!(await keepBusiness(tx, merchantId))) return refuse('unknown_credit');
  const joining = { merchantId, alertId, orderId, foundBy: 'person', by, now, isTold } as const;
  const refusal = await attachCredit(tx, world, joining);
  if (refusal) return refusal;
  await recordDeed(tx, doer, { action: 'credit.attach', subject: alertId, details: { order: orderId } });
  return null;
}

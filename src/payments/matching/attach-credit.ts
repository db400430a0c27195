import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { presentOrder } from '../../orders/present-order.ts';
import { recordReviewEvent } from '../../outbox/webhooks/record-event.ts';
import { type Joining, joinCredit } from './join-credit.ts';
import type { ReviewRefusal } from './review-refusal.ts';
import { tellWaiting } from './tell-of-money.ts';

/**
 * Attaches a genuine credit to an unpaid order, which then waits in `manual_review` for a person. Nothing is paid by
 * it. Null when they now belong together, even if they did before.
 */
export async function attachCredit(
  tx: Transaction,
  world: Pick<World, 'baseUrl'>,
  joining: Joining,
): Promise<ReviewRefusal | null> {
  const joined = await joinCredit(tx, joining);
  if ('refusal' in joined) return joined;
  const { merchantId, alertId, now } = joining;
  const order = presentOrder(world, joined.order);
  const { webhook_url: webhookUrl } = joined.order;
  if (!joined.isNew) return null;
  await recordReviewEvent(tx, { merchantId, alertId, webhookUrl, order, now });
  await tellWaiting(tx, joining, joined);
  return null;
}

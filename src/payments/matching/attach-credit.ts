import type { Transaction } from '../../base/database/connect.ts';
import { type Paise, rupeesText } from '../../base/money.ts';
import type { World } from '../../base/world.ts';
import { presentOrder } from '../../orders/order.ts';
import { addToLastNotice } from '../../outbox/notices/notify-owner.ts';
import { recordReviewEvent } from '../../outbox/webhooks/record-event.ts';
import { because } from '../../texts/verdicts.ts';
import type { Credit } from './credit.ts';
import { type Joined, type Joining, joinCredit } from './join-credit.ts';
import type { ReviewRefusal } from './review-refusal.ts';

/**
 * Attaches a genuine credit to an unpaid order, which then waits in `manual_review` for a person. It pays nothing.
 * Null if they now belong together, even if they did before.
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
  await notifyWaiting(tx, joining, joined);
  return null;
}

export async function notifyUnmatched(
  tx: Transaction,
  credit: Pick<Credit, 'merchantId' | 'amount' | 'payer' | 'alertTime'>,
  now: Date,
): Promise<void> {
  const { merchantId, amount, payer, alertTime } = credit;
  await addToLastNotice(tx, {
    merchantId,
    kind: 'money_unmatched',
    facts: came(amount, payer, alertTime),
    now,
  });
}

/** Notifies the owner of an order that waits for them, unless a person who may decide attached the money. */
async function notifyWaiting(tx: Transaction, joining: Joining, { credit, order }: Joined): Promise<void> {
  const { merchantId, foundBy, asksOwner = false, now } = joining;
  if (foundBy === 'person' && !asksOwner) return;
  const { amount_paise: amount, payer, alert_time } = credit;
  const facts = {
    ...came(amount, payer, alert_time ?? now),
    order: order.order_id,
    asked: rupeesText(order.payable_paise),
  };
  await addToLastNotice(tx, { merchantId, kind: 'order_waits', facts, now, asks: asksOwner });
}

function came(amount: Paise, payer: string | null, at: Date) {
  return { amount: rupeesText(amount), payer: payer ?? because('unknown_payer'), at };
}

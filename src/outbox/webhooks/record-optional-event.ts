import type { Transaction } from '../../base/database/connect.ts';
import type { CreditVerdict } from '../../texts/verdicts.ts';
import { selectWanted } from './queries/events.ts';
import { derivedEventId, recordEvent } from './record-event.ts';

/** Beyond the one kind that the specification knows: sent to businesses that asked for them, to nobody else. */
export const optionalEventTypes = ['payment.review', 'payment.unmatched'] as const;
export type OptionalEventType = (typeof optionalEventTypes)[number];

type ReviewEvent = {
  merchantId: number;
  alertId: string;
  webhookUrl: string;
  /** As get returns it: `manual_review`, with what was received. */
  order: { readonly order_id: string };
  now: Date;
};

/** A credit was attached to the order, which now waits for a person. One event per credit, ever. */
export async function recordReviewEvent(tx: Transaction, event: ReviewEvent): Promise<void> {
  const type = 'payment.review';
  const { merchantId, alertId, webhookUrl, order, now } = event;
  const { wanted_events } = await selectWanted(tx, merchantId);
  if (!wanted_events.includes(type)) return;
  const eventId = derivedEventId(merchantId, `${order.order_id} ${alertId}`, type);
  await recordEvent(tx, { merchantId, eventId, type, orderId: order.order_id, webhookUrl, data: order, now });
}

/** Genuine money that belongs to no order as far as we know. */
export type UnmatchedCredit = {
  credit_id: string;
  /** Rupees. */
  amount: number;
  bank_reference: string | null;
  payer: string | null;
  /** By the bank's clock. */
  paid_at: string;
  reason: CreditVerdict;
  /** The order that it came too late for or paid once more. */
  order_id: string | null;
};

/** It belongs to no order, so it goes to the business's own address; without one it is not sent. */
export async function recordUnmatchedEvent(
  tx: Transaction,
  { merchantId, credit, now }: { merchantId: number; credit: UnmatchedCredit; now: Date },
): Promise<void> {
  const type = 'payment.unmatched';
  const { wanted_events, webhook_url: webhookUrl } = await selectWanted(tx, merchantId);
  if (!wanted_events.includes(type) || webhookUrl === null) return;
  const eventId = derivedEventId(merchantId, credit.credit_id, type);
  await recordEvent(tx, { merchantId, eventId, type, orderId: null, webhookUrl, data: credit, now });
}

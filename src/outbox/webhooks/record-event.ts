import { createHash } from 'node:crypto';
import { hour, minute, second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { destinationOf } from '../../base/network/parse-destination.ts';
import { randomBase62 } from '../../base/random.ts';
import type { CreditVerdict } from '../../texts/verdicts.ts';
import { type EventRow, insertEvent, selectWanted } from './queries/events.ts';

type Schedule = Pick<EventRow, 'step' | 'askedBy'>;
export type NewEvent = Omit<EventRow, 'body' | 'destination' | keyof Schedule> &
  Partial<Schedule> & { data: unknown };

/**
 * Writes an event and its first delivery in the caller's transaction and wakes the senders when it commits.
 * Returns false when this event exists already; then nothing is written.
 */
export async function recordEvent(tx: Transaction, event: NewEvent): Promise<boolean> {
  const { data, ...row } = event;
  return await insertEvent(tx, {
    step: 0,
    askedBy: 'schedule',
    ...row,
    body: eventBody(event.type, data, event.now),
    destination: destinationOf(event.webhookUrl),
  });
}

/** Made into text once: every attempt sends these bytes, whatever becomes of the order. */
export function eventBody(type: string, data: unknown, now: Date): string {
  return JSON.stringify({ type, timestamp: now.toISOString(), data });
}

/** The event of §6: written where the order becomes paid (`pay_order`). */
export const paidEventType = 'payment.paid';

const hashLength = 32;

/** Derived, so that the same payment found again after a restored backup is the same event to the receiver. */
export function derivedEventId(merchantId: number, orderId: string, type: string): string {
  const hash = createHash('sha256').update(`${merchantId}\n${orderId}\n${type}`).digest('hex');
  return `evt_${hash.slice(0, hashLength)}`;
}

export function randomEventId(): string {
  return `evt_${randomBase62(hashLength)}`;
}

/** The pause after each failed attempt. Five attempts fall before minute 15, when shops begin to reconcile (§1). */
export const retryPauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The step of an attempt that nothing follows. */
export const lastStep = retryPauses.length;

const jitter = 0.1;

/** The pause after a failure at `step`, a tenth longer or shorter: shops that fail together are not retried so. */
export function pauseAfter(step: number, random: () => number = Math.random): number | null {
  const pause = retryPauses[step];
  return pause === undefined ? null : Math.round(pause * (1 - jitter + 2 * jitter * random()));
}

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

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

/** Writes in the caller's transaction; senders wake when it commits. False, and writes nothing, if the event exists. */
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

/** Serialised once, so that every attempt sends the same bytes even if the order changes. */
export function eventBody(type: string, data: unknown, now: Date): string {
  return JSON.stringify({ type, timestamp: now.toISOString(), data });
}

/** The event of §6. `pay_order` writes it in the transaction that pays the order. */
export const paidEventType = 'payment.paid';

const hashLength = 32;

/** Derived from the order, so a payment found again after a restore has the same event id. */
export function derivedEventId(merchantId: number, orderId: string, type: string): string {
  const hash = createHash('sha256').update(`${merchantId}\n${orderId}\n${type}`).digest('hex');
  return `evt_${hash.slice(0, hashLength)}`;
}

export function randomEventId(): string {
  return `evt_${randomBase62(hashLength)}`;
}

/** The pause after each failed attempt: five fall into 15 minutes, before shops start to reconcile (§1). */
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

/** An attempt at this step is the last. */
export const lastStep = retryPauses.length;

const jitter = 0.1;

/** Each pause varies by up to 10 %, so that shops that failed together are not retried together. */
export function pauseAfter(step: number, random: () => number = Math.random): number | null {
  const pause = retryPauses[step];
  return pause === undefined ? null : Math.round(pause * (1 - jitter + 2 * jitter * random()));
}

/** Not part of the specification, so only sent to businesses that chose them. */
export const optionalEventTypes = ['payment.review', 'payment.unmatched'] as const;
export type OptionalEventType = (typeof optionalEventTypes)[number];

type ReviewEvent = {
  merchantId: number;
  alertId: string;
  webhookUrl: string;
  /** The order as the API returns it: `manual_review`, with the received amount. */
  order: { readonly order_id: string };
  now: Date;
};

/** Records that an order waits for a person to decide about a credit. One event per credit, ever. */
export async function recordReviewEvent(tx: Transaction, event: ReviewEvent): Promise<void> {
  const type = 'payment.review';
  const { merchantId, alertId, webhookUrl, order, now } = event;
  const { wanted_events } = await selectWanted(tx, merchantId);
  if (!wanted_events.includes(type)) return;
  const eventId = derivedEventId(merchantId, `${order.order_id} ${alertId}`, type);
  await recordEvent(tx, { merchantId, eventId, type, orderId: order.order_id, webhookUrl, data: order, now });
}

/** A genuine credit without a matching order. */
export type UnmatchedCredit = {
  credit_id: string;
  /** Rupees. */
  amount: number;
  bank_reference: string | null;
  payer: string | null;
  /** In the bank's time. */
  paid_at: string;
  reason: CreditVerdict;
  /** The order for which it came too late or a second time. */
  order_id: string | null;
};

/** Goes to the business's own address, because there is no order. Without an address it is not sent. */
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

import { createHash } from 'node:crypto';
import type { Transaction } from '../../base/database/connect.ts';
import { destinationOf } from '../../base/network/parse-destination.ts';
import { randomBase62 } from '../../base/random.ts';
import { type EventRow, insertEvent } from './queries/events.ts';

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
    // Made into text once: every attempt sends these bytes, whatever becomes of the order.
    body: JSON.stringify({ type: event.type, timestamp: event.now.toISOString(), data }),
    destination: destinationOf(event.webhookUrl),
  });
}

export const paidEventType = 'payment.paid';

export type PaidEvent = {
  merchantId: number;
  orderId: string;
  webhookUrl: string;
  /** The order as get returns it. */
  order: unknown;
  now: Date;
};

/** The event of §6: written where the order becomes paid, in the same transaction. */
export async function recordPaidEvent(tx: Transaction, paid: PaidEvent): Promise<boolean> {
  const { merchantId, orderId, webhookUrl, now } = paid;
  const eventId = derivedEventId(merchantId, orderId, paidEventType);
  return await recordEvent(tx, {
    merchantId,
    eventId,
    type: paidEventType,
    orderId,
    webhookUrl,
    data: paid.order,
    now,
  });
}

const hashLength = 32;

/** Derived, so that the same payment found again after a restored backup is the same event to the receiver. */
export function derivedEventId(merchantId: number, orderId: string, type: string): string {
  const hash = createHash('sha256').update(`${merchantId}\n${orderId}\n${type}`).digest('hex');
  return `evt_${hash.slice(0, hashLength)}`;
}

export function randomEventId(): string {
  return `evt_${randomBase62(hashLength)}`;
}

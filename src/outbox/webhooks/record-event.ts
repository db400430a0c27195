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

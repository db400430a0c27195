import assert from 'node:assert/strict';
import type { Sql, Transaction } from '../../src/base/database/connect.ts';
import { randomDigits } from '../../src/base/random.ts';
import { attemptDelivery } from '../../src/outbox/webhooks/attempt-delivery.ts';
import { type ClaimedDelivery, claimDue } from '../../src/outbox/webhooks/queries/attempts.ts';
import { type Recorded, recordAttempt } from '../../src/outbox/webhooks/record-attempt.ts';
import { derivedEventId, paidEventType, recordEvent } from '../../src/outbox/webhooks/record-event.ts';
import type { TestWorld } from './test-world.ts';

type PaidEvent = { merchantId: number; orderId: string; webhookUrl: string; order: unknown; now: Date };

/** The event of a payment without the payment. */
export async function recordPaidEvent(tx: Transaction, { order, ...paid }: PaidEvent): Promise<boolean> {
  const eventId = derivedEventId(paid.merchantId, paid.orderId, paidEventType);
  return await recordEvent(tx, { ...paid, eventId, type: paidEventType, data: order });
}

/** Writes the event of a payment as matching does, and returns its id. */
export async function addPaidEvent(
  world: TestWorld,
  merchantId: number,
  webhookUrl: string,
  orderId = `ML-${randomDigits(10)}`,
): Promise<string> {
  const order = { order_id: orderId, status: 'paid', payable_amount: 499.37, customer: { name: 'आशा 😀' } };
  const now = world.clock.now();
  const isNew = await world.sql.begin(tx =>
    recordPaidEvent(tx, { merchantId, orderId, webhookUrl, order, now }),
  );
  assert.equal(isNew, true);
  return derivedEventId(merchantId, orderId, paidEventType);
}

/** Every event and whatever was done about it. */
export async function forgetWebhooks(sql: Sql): Promise<void> {
  for (const table of [
    'delivery_queue',
    'deliveries_in_hand',
    'delivery_log',
    'given_up_events',
    'event_bodies',
    'events',
  ])
    await sql.unsafe(`delete from ${table}`);
}

export const allPlaces = { places: 256, backlogPlaces: 128 };

export async function claimOne(world: TestWorld): Promise<ClaimedDelivery> {
  const claimed = await claimDue(world, allPlaces);
  assert.equal(claimed.length, 1);
  return claimed[0]!;
}

/** Claims the one due delivery, makes the attempt and records it. */
export async function deliverOne(world: TestWorld, random = () => 0.5): Promise<Recorded> {
  const claimed = await claimOne(world);
  const result = await attemptDelivery(world, claimed, new AbortController().signal);
  return await recordAttempt(world, claimed, result, random);
}

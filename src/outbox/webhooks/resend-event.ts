import type { Transaction } from '../../base/database/connect.ts';
import { destinationOf } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import { bringForward, insertResend, insertResends, lockEvent, lockGivenUp } from './queries/events.ts';
import { lastStep } from './record-event.ts';
import { testEventType } from './send-test-event.ts';

/** Sends an event again, same id and same bytes. A waiting retry is due at once; else the schedule starts again. */
export async function resendEvent(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  eventId: string,
): Promise<'resent' | 'brought_forward' | 'being_sent' | 'unknown'> {
  const now = clock.now();
  const event = await lockEvent(tx, merchantId, eventId);
  // One of an order without a shop has no address: there is nobody to send it to.
  if (event === null || event.webhook_url === '') return 'unknown';
  if (await bringForward(tx, merchantId, eventId, now)) return 'brought_forward';
  const step = event.type === testEventType ? lastStep : 0;
  const destination = destinationOf(event.webhook_url);
  return (await insertResend(tx, merchantId, eventId, { now, step, destination })) ? 'resent' : 'being_sent';
}

/** One click puts at most so many into the queue; a second click takes the next. */
const most = 10_000;

/** Sends again every event of a business that was given up. Returns how many; they leave four at a time. */
export async function resendAllFailed(tx: Transaction, { clock }: Pick<World, 'clock'>, merchantId: number) {
  const events = await lockGivenUp(tx, merchantId, { most, testType: testEventType });
  const again = events.map(({ event_id, webhook_url }) => ({
    event_id,
    destination: destinationOf(webhook_url),
  }));
  return again.length === 0 ? 0 : await insertResends(tx, merchantId, again, clock.now());
}

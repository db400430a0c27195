import type { Transaction } from '../../base/database/connect.ts';
import { destinationOf } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import { bringForward, insertResend, insertResends, lockEvent } from './queries/events.ts';
import { lastStep } from './record-event.ts';
import { testEventType } from './send-test-event.ts';

/** Sends an event again with the same id and bytes. Makes a waiting retry due now, or restarts the schedule. */
export async function resendEvent(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  eventId: string,
): Promise<'resent' | 'brought_forward' | 'being_sent' | 'unknown'> {
  const now = clock.now();
  const event = await lockEvent(tx, merchantId, eventId);
  // The event of an order without a shop has no address.
  if (event === null || event.webhook_url === '') return 'unknown';
  if (await bringForward(tx, merchantId, eventId, now)) return 'brought_forward';
  const step = event.type === testEventType ? lastStep : 0;
  const destination = destinationOf(event.webhook_url);
  return (await insertResend(tx, merchantId, eventId, { now, step, destination })) ? 'resent' : 'being_sent';
}

/** The limit for one click; the next click takes the next ones. */
const most = 10_000;

/** Queues all events that a business has given up, and returns their number. Four are sent at a time. */
export async function resendAllFailed(tx: Transaction, { clock }: Pick<World, 'clock'>, merchantId: number) {
  const events = await tx<{ event_id: string; webhook_url: string }[]>`
    select e.event_id, e.webhook_url
    from given_up_events g join events e on e.merchant_id = g.merchant_id and e.event_id = g.event_id
    where g.merchant_id = ${merchantId} and e.type <> ${testEventType}
    order by g.created_at limit ${most} for update of g skip locked`;
  const again = events.map(({ event_id, webhook_url }) => ({
    event_id,
    destination: destinationOf(webhook_url),
  }));
  return again.length === 0 ? 0 : await insertResends(tx, merchantId, again, clock.now());
}

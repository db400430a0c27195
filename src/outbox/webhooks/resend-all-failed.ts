import type { Transaction } from '../../base/database/connect.ts';
import { destinationOf } from '../../base/network/parse-destination.ts';
import type { World } from '../../base/world.ts';
import { insertResends, lockGivenUp } from './queries/events.ts';
import { testEventType } from './send-test-event.ts';

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

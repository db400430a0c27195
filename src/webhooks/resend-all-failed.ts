import type { Queryable } from '../database/connect.ts';
import type { World } from '../world.ts';
import { insertResendOfFailed } from './queries/events.ts';
import { testEventType } from './send-test-event.ts';

/** One click puts at most so many into the queue; a second click takes the next. */
const most = 10_000;

/** Sends again every event of a business that was given up. Returns how many; they leave four at a time. */
export async function resendAllFailed(
  tx: Queryable,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
): Promise<number> {
  return await insertResendOfFailed(tx, merchantId, { now: clock.now(), most, testType: testEventType });
}

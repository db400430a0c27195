import { later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { randomId } from '../../base/random.ts';
import { countDevices, deleteSubscription, insertDevice, type Subscription } from './queries.ts';

/** A person has a phone, a tablet at the till, a computer or two. */
export const mostDevices = 10;
const greetingUsefulFor = 10 * minute;

type NewDevice = {
  merchantId: number;
  userId: string;
  sessionId: string;
  agent: string;
  /** Checked by `checkSubscription`. */
  subscription: Subscription;
  now: Date;
};

/**
 * From now on this browser shows notices for somebody; whoever used it before gets none on it any more. False when the
 * person already has as many devices as allowed.
 */
export async function addDevice(tx: Transaction, device: NewDevice): Promise<boolean> {
  const { merchantId, userId, subscription, now } = device;
  await deleteSubscription(tx, subscription);
  if ((await countDevices(tx, merchantId, userId)) >= mostDevices) return false;
  await insertDevice(tx, { ...device, deviceId: randomId('dev') }, later(now, greetingUsefulFor));
  return true;
}

import { createECDH, ECDH } from 'node:crypto';
import { later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { lookUpHost } from '../../base/network/check-destination.ts';
import { randomId } from '../../base/random.ts';
import type { Config } from '../../base/settings/config.ts';
import type { World } from '../../base/world.ts';
import { parseEndpoint, withoutExceptions } from '../post.ts';
import { countDevices, insertDevice, type Subscription } from './queries.ts';

/** The installation's VAPID key pair, as browsers and the library expect it. */
export type PushKeys = { publicKey: string; privateKey: string };

/** Returns null if the operator set no key; then devices cannot be added. */
export function pushKeys({ pushKey }: Pick<Config, 'pushKey'>): PushKeys | null {
  if (pushKey === null) return null;
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(pushKey);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: pushKey.toString('base64url') };
}

const publicKeyBytes = 65;
const authBytes = 16;

export async function checkSubscription(
  world: Pick<World, 'dns' | 'config'>,
  { endpoint, p256dh, auth }: Subscription,
): Promise<boolean> {
  if (!isKey(auth, authBytes) || !isKey(p256dh, publicKeyBytes) || !isPoint(p256dh)) return false;
  const outside = withoutExceptions(world);
  const parsed = parseEndpoint(endpoint, outside.config);
  return parsed !== null && (await lookUpHost(outside, parsed.host)) !== 'refused';
}

function isKey(text: string, bytes: number): boolean {
  return /^[\w-]{1,100}$/.test(text) && Buffer.from(text, 'base64url').length === bytes;
}

/** Checks that the key is on P-256; web push can encrypt to nothing else. */
function isPoint(text: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(text, 'base64url'), 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

/** Enough for a phone, a counter's tablet and several computers. */
export const mostDevices = 10;
const greetingUsefulFor = 10 * minute;

type NewDevice = {
  merchantId: number;
  userId: string;
  sessionId: string;
  agent: string;
  subscription: Subscription;
  now: Date;
};

/** Moves the browser's subscription to this user. Returns false if the user has too many devices. */
export async function addDevice(tx: Transaction, device: NewDevice): Promise<boolean> {
  const { merchantId, userId, subscription, now } = device;
  // A browser has one subscription, so its previous user must not get notices on this machine.
  await tx`delete from push_devices where endpoint = ${subscription.endpoint} and p256dh = ${subscription.p256dh}`;
  if ((await countDevices(tx, merchantId, userId)) >= mostDevices) return false;
  await insertDevice(tx, { ...device, deviceId: randomId('dev') }, later(now, greetingUsefulFor));
  return true;
}

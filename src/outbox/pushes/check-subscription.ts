import { ECDH } from 'node:crypto';
import { lookUpHost } from '../../base/network/look-up-host.ts';
import type { World } from '../../base/world.ts';
import { parseEndpoint, withoutExceptions } from '../post.ts';
import type { Subscription } from './queries.ts';

const publicKeyBytes = 65;
const authBytes = 16;

/** Whether what a browser sent can be used: an address that may be called, and keys to encrypt to. */
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

/** On the curve that browsers use: nothing else can be encrypted to. */
function isPoint(text: string): boolean {
  try {
    ECDH.convertKey(Buffer.from(text, 'base64url'), 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

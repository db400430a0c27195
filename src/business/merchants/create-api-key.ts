import type { Queryable } from '../../base/database/connect.ts';
import { randomId } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { hashApiKey, newApiKey } from './api-key.ts';
import { insertApiKey, markKeyRevoked } from './queries.ts';

/** Of one business at a time, including those of connected shops. */
export const mostKeys = 50;

/** Makes a key and returns it: the only moment it exists outside its owner's hands. Only its hash is stored. */
export async function createApiKey(
  tx: Queryable,
  { clock, config }: Pick<World, 'clock' | 'config'>,
  merchantId: number,
  name: string,
): Promise<{ keyId: string; apiKey: string }> {
  const apiKey = newApiKey(merchantId, config.mode === 'live' ? 'live' : 'test');
  const keyId = randomId('key');
  await insertApiKey(tx, {
    merchant_id: merchantId,
    key_hash: hashApiKey(apiKey),
    key_id: keyId,
    name,
    created_at: clock.now(),
  });
  return { keyId, apiKey };
}

/** From the next request on the key is unknown: every request looks its key up in its own query. */
export async function revokeApiKey(
  tx: Queryable,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  keyId: string,
): Promise<boolean> {
  return await markKeyRevoked(tx, merchantId, keyId, clock.now());
}

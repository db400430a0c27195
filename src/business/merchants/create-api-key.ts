import type { Queryable } from '../../base/database/connect.ts';
import { randomId } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { hashApiKey, newApiKey } from './api-key.ts';
import { insertApiKey } from './queries.ts';

export const mostKeys = 50;

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

/** Revokes a key from the next request on, because every request looks its key up. */
export async function revokeApiKey(
  tx: Queryable,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  keyId: string,
): Promise<boolean> {
  return await tx`
    update api_keys set revoked_at = ${clock.now()}
    where merchant_id = ${merchantId} and key_id = ${keyId} and revoked_at is null
    returning key_id`.some();
}

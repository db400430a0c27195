import type { World } from '../world.ts';
import { markKeyRevoked } from './queries.ts';

/** From the next request on the key is unknown: every request looks its key up in its own query. */
export async function revokeApiKey(
  { sql, clock }: Pick<World, 'sql' | 'clock'>,
  merchantId: number,
  keyId: string,
): Promise<boolean> {
  return await markKeyRevoked(sql, merchantId, keyId, clock.now());
}

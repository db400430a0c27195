import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { markKeyRevoked } from './queries.ts';

/** From the next request on the key is unknown: every request looks its key up in its own query. */
export async function revokeApiKey(
  tx: Queryable,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  keyId: string,
): Promise<boolean> {
  return await markKeyRevoked(tx, merchantId, keyId, clock.now());
}

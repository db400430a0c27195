import type { Host } from '../base/network/parse-destination.ts';
import type { World } from '../base/world.ts';
import { exchange } from './webhooks/exchange.ts';
import { dropShopConnection, newShopConnection } from './webhooks/shop-connections.ts';

export type Posted = { status: number; retryAfter: unknown; text: string };

/** One POST on a guarded connection of its own. Rejects when no status came. */
export async function postOnce(
  world: Pick<World, 'dns' | 'config'>,
  { url, host }: { url: URL; host: Host },
  { headers, body }: { headers: Record<string, string>; body: Buffer | string },
  signal: AbortSignal,
): Promise<Posted> {
  const connection = newShopConnection(world, host, url.origin, signal);
  try {
    const path = `${url.pathname}${url.search}`;
    const answer = await exchange(connection, { path, headers, body, reset: true });
    return { status: answer.statusCode, retryAfter: answer.retryAfter, text: answer.response };
  } finally {
    dropShopConnection(connection);
  }
}

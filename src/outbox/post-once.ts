import type { Host } from '../base/network/parse-destination.ts';
import type { World } from '../base/world.ts';
import { dropShopConnection, newShopConnection } from './webhooks/shop-connections.ts';

export type Posted = { status: number; retryAfter: unknown; text: string };

const mostText = 2048;

/** One POST on a guarded connection of its own; little of the answer is read. Rejects when no status came. */
export async function postOnce(
  world: Pick<World, 'dns' | 'config'>,
  { url, host }: { url: URL; host: Host },
  { headers, body }: { headers: Record<string, string>; body: Buffer | string },
  signal: AbortSignal,
): Promise<Posted> {
  const connection = newShopConnection(world, host, url.origin, signal);
  const path = `${url.pathname}${url.search}`;
  try {
    const answer = await connection.client.request({ method: 'POST', path, headers, body, signal });
    const { statusCode: status, headers: told } = answer;
    return { status, retryAfter: told['retry-after'], text: await beginningOf(answer.body) };
  } finally {
    dropShopConnection(connection);
  }
}

/** A body that breaks off is taken as far as it came: the status has decided already. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  try {
    for await (const chunk of body) {
      text += chunk;
      if (text.length >= mostText) break;
    }
  } catch {}
  return text;
}

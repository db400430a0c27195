import { Client } from 'undici';
import { guardedConnector } from '../base/network/guarded-connect.ts';
import type { Host } from '../base/network/parse-destination.ts';
import type { World } from '../base/world.ts';

export type Posted = { status: number; retryAfter: unknown; text: string };

const mostHeaderBytes = 16 * 1024;
const mostText = 2048;

/**
 * One POST to an address that somebody gave us, on a connection of its own: the guard sits in the connection, no redirect
 * is followed, and little of the answer is read. Rejects when no status came.
 */
export async function postOnce(
  world: Pick<World, 'dns' | 'config'>,
  { url, host }: { url: URL; host: Host },
  { headers, body }: { headers: Record<string, string>; body: Buffer | string },
  signal: AbortSignal,
): Promise<Posted> {
  const client = new Client(url.origin, {
    connect: guardedConnector(world, host, { signal: () => signal, onPeer: () => {} }),
    allowH2: false,
    maxHeaderSize: mostHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const path = `${url.pathname}${url.search}`;
    const answer = await client.request({ method: 'POST', path, headers, body, signal });
    return {
      status: answer.statusCode,
      retryAfter: answer.headers['retry-after'],
      text: await beginningOf(answer.body),
    };
  } finally {
    void client.destroy().catch(() => {});
  }
}

/** A body that breaks off is taken as far as it came: the status has decided already. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body)
      if (chunks.push(chunk) > 0 && Buffer.concat(chunks).length >= mostText) break;
  } catch {}
  return Buffer.concat(chunks).toString('utf8', 0, mostText);
}

import type { IncomingMessage } from 'node:http';

const mostBytes = 64 * 1024;

export class BodyTooLarge extends Error {}

/** Returns the exact bytes of a request, because a signature is over bytes. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > mostBytes) throw new BodyTooLarge();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Paths open to pages of any origin: the API (§1) and the public order status (§4.4). */
const openPaths = /^\/(?:api|pay)\//;
const preflightSeconds = 24 * 60 * 60;

export const openToAnyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id, X-Replay-Differs, Allow, Date',
};

export function allowAnyOrigin(request: FastifyRequest, reply: FastifyReply): void {
  if (!openPaths.test(request.url)) return;
  reply.headers(openToAnyOrigin);
}

/** §4: answers OPTIONS with 204 and no body, before any check. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.method !== 'OPTIONS' || !openPaths.test(request.url)) return false;
  reply.header('access-control-allow-methods', 'GET, POST, PUT, OPTIONS');
  reply.header('access-control-allow-headers', 'Content-Type, X-API-Key');
  reply.header('access-control-max-age', String(preflightSeconds));
  void reply.code(204).send();
  return true;
}

/** RFC 9112 §3.2: a proxy may have used one of them and we the other, so trust neither. */
export function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

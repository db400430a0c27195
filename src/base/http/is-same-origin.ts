import type { FastifyRequest } from 'fastify';

/**
 * Whether a change was asked for by a page of ours. Browsers say so in Sec-Fetch-Site, which no page can forge; those
 * too old for it, and plain http, send Origin. A request with neither comes from no browser and is refused too.
 */
export function isSameOrigin(request: FastifyRequest, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === new URL(baseUrl).origin;
}

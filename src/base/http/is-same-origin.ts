import type { FastifyRequest } from 'fastify';

/**
 * Returns whether one of our pages asked for a change. Browsers say so in Sec-Fetch-Site, which no page can forge.
 * Older browsers, and plain http, send Origin. A request with neither is not from a browser and is refused.
 */
export function isSameOrigin(request: FastifyRequest, baseUrl: string): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return request.headers.origin === new URL(baseUrl).origin;
}

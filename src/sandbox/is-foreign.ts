import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { isThisMachine } from '../config-values.ts';

/**
 * Whether a page of another site asks, in the browser of somebody who runs a sandbox: it could move the clock or play
 * payments behind his back. Programs name no origin. Our own page has the host that was asked for, which must be this
 * machine unless others may reach us: a stranger can let a name of his own lead here.
 */
export function isForeign(
  { headers, host }: FastifyRequest,
  { sandboxPublic }: Pick<Config, 'sandboxPublic'>,
): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  if (headers.origin === undefined) return false;
  const from = URL.parse(headers.origin);
  if (from?.host !== host) return true;
  return !sandboxPublic && !isThisMachine(from.hostname.replaceAll(/[[\]]/g, ''));
}

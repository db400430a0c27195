import type { IncomingMessage } from 'node:http';
import { minute, second } from '../clock.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';
import { openCountCalls } from './count-calls.ts';
import { networkOf } from './network-of.ts';

const mostCallersRemembered = 20_000;

/** Counts a request before the router sees it; a request that goes on to the router counts once. */
export type MayCall = (request: IncomingMessage) => boolean;

/** Generous limits per minute, per key and per address, so that one caller's loop does not slow everybody down. */
export function limitCallers(app: App, { config }: Pick<World, 'config'>): MayCall {
  if (config.rateLimits === 'off') return () => true;
  const { perKey, perAddress } = config.rateLimits;
  const ofAddress = openCountCalls(perAddress, 1 * minute, mostCallersRemembered);
  const ofKey = openCountCalls(perKey, 1 * minute, mostCallersRemembered);
  const count = (request: IncomingMessage) => {
    const network = networkOf(addressOf(request, config.trustProxy));
    return ofAddress(network) ?? ofKey(shortKey(request) ?? network);
  };
  const counted = new WeakMap<IncomingMessage, number | null>();
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const wait = counted.has(raw) ? counted.get(raw)! : count(raw);
    if (wait === null) done();
    else done(new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(wait / second)) }));
  });
  return request => {
    const wait = count(request);
    counted.set(request, wait);
    return wait === null;
  };
}

/** As Fastify's `ip` is with the one proxy that `newApp` trusts. */
function addressOf({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '') : '';
  const last = forwarded.split(/[ \t]*,[ \t]*/).findLast(entry => entry !== '');
  return last ?? socket.remoteAddress ?? '';
}

/** No key of ours is longer. Thousands are remembered, and a stranger must not choose how much each of them takes. */
const longestKey = 64;

function shortKey({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-api-key'];
  return header === undefined ? undefined : String(header).slice(0, longestKey);
}

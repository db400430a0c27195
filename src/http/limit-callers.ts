import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';
import { networkOf } from './network-of.ts';

const mostCallersRemembered = 20_000;

/** Generous limits a minute, per key and per address, so that one caller's loop does not slow everybody down. */
export async function limitCallers(app: App, { config }: Pick<World, 'config'>): Promise<void> {
  if (config.rateLimits === 'off') return;
  const { perKey, perAddress } = config.rateLimits;
  await app.register(rateLimit, { global: false, cache: mostCallersRemembered });
  const limits = [
    app.createRateLimit({
      max: perAddress,
      timeWindow: '1 minute',
      keyGenerator: request => `address ${networkOf(request.ip)}`,
    }),
    app.createRateLimit({
      max: perKey,
      timeWindow: '1 minute',
      keyGenerator: request => `key ${shortKey(request) ?? networkOf(request.ip)}`,
    }),
  ];
  app.addHook('onRequest', async request => {
    for (const check of limits) {
      const state = await check(request);
      if (!state.isAllowed && state.isExceeded) {
        throw new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, state.ttlInSeconds) });
      }
    }
  });
}

/** No key of ours is longer. Thousands are remembered, and a stranger must not choose how much each of them takes. */
const longestKey = 64;

function shortKey(request: FastifyRequest): string | undefined {
  const header = request.headers['x-api-key'];
  // Decoupled from the request's memory, which a mere slice would keep alive.
  return header === undefined ? undefined : Buffer.from(String(header).slice(0, longestKey)).toString();
}

import rateLimit from '@fastify/rate-limit';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';

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
      keyGenerator: request => `address ${request.ip}`,
    }),
    app.createRateLimit({
      max: perKey,
      timeWindow: '1 minute',
      keyGenerator: request => `key ${request.headers['x-api-key'] ?? request.ip}`,
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

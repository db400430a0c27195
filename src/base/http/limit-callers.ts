import type { IncomingMessage } from 'node:http';
import { minute, second } from '../clock.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';
import { openCountCalls } from './count-calls.ts';
import { networkOf } from './network-of.ts';

const mostCallersRemembered = 20_000;

/** Generous limits per minute, key and address, so that one caller's loop does not slow others down. */
export function limitCallers(app: App, { config }: Pick<World, 'config'>): void {
  if (config.rateLimits === 'off') return;
  const { perKey, perAddress } = config.rateLimits;
  const ofAddress = openCountCalls(perAddress, 1 * minute, mostCallersRemembered);
  const ofKey = openCountCalls(perKey, 1 * minute, mostCallersRemembered);
  app.addHook('onRequest', ({ ip, raw }, _reply, done) => {
    const network = networkOf(ip);
    const wait = ofAddress(network) ?? ofKey(shortKey(raw) ?? network);
    if (wait === null) done();
    else done(new ApiError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(wait / second)) }));
  });
}

/** Longer than any of our keys. Thousands are remembered, so a caller must not choose their size. */
const longestKey = 64;

function shortKey({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-api-key'];
  return header === undefined ? undefined : String(header).slice(0, longestKey);
}

import type { World } from '../world.ts';

const none: readonly string[] = [];

/**
 * The same world without WEBHOOK_ALLOW. Its hosts are for shops' servers inside; no browser's push service stands there,
 * and a cashier, who can name no webhook, could make us call them.
 */
export function withoutExceptions<W extends Pick<World, 'config'>>(world: W): W {
  return { ...world, config: { ...world.config, webhookAllow: none } };
}

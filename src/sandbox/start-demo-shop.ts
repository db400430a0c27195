import { type Shop, startShop } from '../../examples/shop/start-shop.ts';
import { StartError } from '../start-error.ts';
import type { Playground } from './playground.ts';

/** The example shop on a port of its own, as a stranger's server would run: it has the key, and its own clock. */
export async function startDemoShop({ world, demo }: Pick<Playground, 'world' | 'demo'>): Promise<Shop> {
  const { shopPort } = world.config;
  try {
    const shop = await startShop({
      port: shopPort,
      baseUrl: world.baseUrl,
      apiKey: demo.api_key,
      webhookSecret: demo.webhook_secret,
    });
    // The one it found where it was to pick a free one: webhooks may go there.
    world.config.shopPort = Number(new URL(shop.url).port);
    return shop;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartError(`port ${shopPort} is already in use: set SHOP_PORT to another one`);
  }
}

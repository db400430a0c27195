import { existsSync } from 'node:fs';
import { StartError } from '../start-error.ts';
import type { Bench } from './bench.ts';

/** The merchant's side, in examples/shop: what it takes and what it gives. */
type StartShop = (options: {
  port: number;
  baseUrl: string;
  apiKey: string;
  webhookSecret: string;
}) => Promise<{ url: string; stop(): Promise<void> }>;

const shopFile = new URL('../../examples/shop/start-shop.ts', import.meta.url);

/** The example shop on its own port, as a stranger's server would run. Null in a copy without the examples. */
export async function startDemoShop({
  world,
  demo,
}: Pick<Bench, 'world' | 'demo'>): Promise<{ url: string; stop(): Promise<void> } | null> {
  if (!existsSync(shopFile)) return null;
  const { startShop } = (await import(shopFile.href)) as { startShop: StartShop };
  const { shopPort } = world.config;
  try {
    return await startShop({
      port: shopPort,
      baseUrl: world.baseUrl,
      apiKey: demo.api_key,
      webhookSecret: demo.webhook_secret,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartError(`port ${shopPort} is already in use: set SHOP_PORT to another one`);
  }
}

import type { LightMyRequestResponse } from 'fastify';
import { type App, newApp } from '../../src/base/http/app.ts';
import { operationsRoutes } from '../../src/base/http/operations.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

export type TestApi = {
  world: TestWorld;
  app: App;
  merchant: TestMerchant;
  create(change?: Record<string, unknown>, key?: string): Promise<LightMyRequestResponse>;
  /** Creates like a patient client, which answers 503 service_unavailable by another try with the same id. */
  createPatiently(change?: Record<string, unknown>, key?: string): Promise<LightMyRequestResponse>;
  get(path: string, key?: string): Promise<LightMyRequestResponse>;
  stop(): Promise<void>;
};

/** Configured live, so that the rules of the sandbox do not hide those of a shop. */
const live = {
  PUBLIC_URL: 'https://pay.example.in',
  DATABASE_URL: 'postgres://the-test-world-brings-its-own/',
  SECRET_KEY: '00'.repeat(32),
};

/** The orders API on a real database, asked without a socket. */
export async function openTestApi(
  env: Record<string, string> = {},
  options: { most?: number } = {},
  more: (app: App, world: TestWorld) => unknown = () => {},
): Promise<TestApi> {
  const world = await openTestWorld({ ...live, ...env }, options);
  world.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  const app = newApp(world);
  operationsRoutes(app, world);
  await orderRoutes(app, world);
  await more(app, world);
  await app.ready();
  const merchant = await addTestMerchant(world);
  const post = (body: Record<string, unknown>, key: string) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/orders',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
  return {
    world,
    app,
    merchant,
    create: (change = {}, key = merchant.apiKey) => post(orderBody(change), key),
    async createPatiently(change = {}, key = merchant.apiKey) {
      const body = orderBody(change);
      for (;;) {
        const response = await post(body, key);
        if (response.statusCode !== 503 || response.json().error !== 'service_unavailable') return response;
      }
    },
    get: (path, key = merchant.apiKey) =>
      app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': key } }),
    async stop() {
      await app.close();
      await world.stop();
    },
  };
}

let orderNumber = 0;

/** A valid create request with an id of its own. `undefined` takes a field out. */
export function orderBody(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    amount: 499,
    merchant_order_id: `cart-${++orderNumber}`,
    success_url: 'https://shop.example.com/thanks',
    failure_url: 'https://shop.example.com/sorry',
    webhook_url: 'https://shop.example.com/hooks/upi',
    ...change,
  };
}

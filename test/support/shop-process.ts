import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { orderBody } from './api.ts';
import { until } from './until.ts';
import type { WholeService } from './whole-service.ts';

/** A shop's server in a process of its own, written in whatever language. */
export type ShopProcess = { said(): string; stop(): void };

export function startShopProcess(
  [command = '', ...args]: readonly string[],
  options: { env: Record<string, string>; cwd?: string },
): ShopProcess {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  return { said: () => said, stop: () => void child.kill() };
}

let shops = 0;

/** A receiver of webhooks refuses what is forged, and hears of a payment that really happened. */
export async function assertHearsOfPayment(
  service: WholeService,
  shop: ShopProcess,
  url: string,
): Promise<void> {
  try {
    await until('the shop listens', () => forge(url).then(Boolean, () => false));
    assert.equal((await forge(url)).status, 400);
    service.world.clock.set(new Date());
    const merchant_order_id = `webhook-${++shops}`;
    const { order_id, payable_amount } = await createdFor(service, service.merchant.apiKey, {
      merchant_order_id,
      webhook_url: url,
    });
    await service.pay(payable_amount);
    await until('the shop hears of the payment', () => shop.said().includes(`${merchant_order_id} is paid`));
    assert.ok(!shop.said().includes('forged is paid'), shop.said());
    await until('the delivery is recorded as done', async () => {
      const rows = await service.world
        .sql`select d.status_code from deliveries d join events e using (merchant_id, event_id) where e.order_id = ${order_id}`;
      return rows.length === 1 && rows[0]?.['status_code'] === 204;
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}\nthe shop said: ${shop.said()}`, { cause: error });
  }
}

async function forge(url: string): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    },
    body: '{"type":"payment.paid","data":{"merchant_order_id":"forged"}}',
  });
}

export async function createdFor(
  service: WholeService,
  apiKey: string,
  change: Record<string, unknown> = {},
): Promise<{ order_id: string; merchant_order_id: string; payable_amount: number }> {
  const body = orderBody(change);
  const response = await service.site.app.inject({
    method: 'POST',
    url: '/api/v1/orders',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  assert.equal(response.statusCode, 201, response.body);
  return { ...response.json(), merchant_order_id: String(body['merchant_order_id']) };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orderBody } from '../../test/support/api.ts';

export type Shop = { url: string; arrival(reference: string): Promise<number>; stop(): Promise<void> };

/** Notes when the webhook about each bank reference came. */
export async function openShop(): Promise<Shop> {
  const expected = new Map<string, (at: number) => void>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      const reference = /"bank_reference":"(\d+)"/.exec(body)?.[1] ?? '';
      expected.get(reference)?.(performance.now());
      response.end('ok');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrival: reference => new Promise(resolve => expected.set(reference, resolve)),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function createOrder(
  url: string,
  apiKey: string,
  webhookUrl: string,
): Promise<{ payable_amount: number }> {
  const answer = await fetch(`${url}/api/v1/orders`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(orderBody({ webhook_url: webhookUrl })),
  });
  if (answer.status !== 201) throw new Error(`create answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { payable_amount: number };
}

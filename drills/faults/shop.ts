import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../src/base/free-port.ts';

/** How the shops' server behaves: as it should, or down in one of three ways. */
export type ShopState = 'up' | 'refuse' | 'hang' | 'answer 500';

export type Shop = {
  port: number;
  /** Events that were verified and answered with 200: by order, how often each came and with which reference. */
  notified: Map<string, { times: number; reference: string | null; firstAt: number }>;
  /** Requests in all, those that failed the check of their signature, and why. */
  requests: number;
  unverified: string[];
  /** Requests that were left hanging or answered with 500. */
  struck: number;
  set(state: ShopState): Promise<void>;
  stop(): Promise<void>;
};

type Event = { type: string; data: { order_id: string; status: string; bank_reference: string | null } };

/**
 * The server that all shops of the drill share; each business has a path and a secret of its own. `isUnwell`: this event
 * about an order is answered with 500, and comes again.
 */
export async function startShop(
  secretOf: (path: string) => string | undefined,
  isUnwell: (orderId: string) => boolean = () => false,
): Promise<Shop> {
  let state: ShopState = 'up';
  const server = createServer((request, response) => {
    shop.requests++;
    if (state !== 'up') shop.struck++;
    if (state === 'hang') return;
    if (state === 'answer 500') return void response.writeHead(500).end('down');
    void readBody(request).then(body => take(request, response, body));
  });

  function take(request: IncomingMessage, response: ServerResponse, body: string): void {
    try {
      const secret = secretOf(request.url ?? '');
      if (!secret) throw new Error(`no shop at ${request.url}`);
      const headers = request.headers as Record<string, string>;
      const event = new Webhook(secret).verify(body, headers) as Event;
      if (event.type !== 'payment.paid' || event.data.status !== 'paid')
        throw new Error(`odd event: ${body}`);
      if (isUnwell(event.data.order_id)) {
        shop.struck++;
        return void response.writeHead(500).end('unwell');
      }
      // Reports the event once the answer is on its way, like a shop that commits before it answers.
      const { order_id: orderId, bank_reference: reference } = event.data;
      const before = shop.notified.get(orderId);
      const firstAt = before?.firstAt ?? Date.now();
      shop.notified.set(orderId, { times: (before?.times ?? 0) + 1, reference, firstAt });
      response.writeHead(200).end('ok');
    } catch (error) {
      shop.unverified.push((error as Error).message);
      response.writeHead(401).end('not verified');
    }
  }

  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  const change = async (next: ShopState) => {
    if (state === 'refuse' && next !== 'refuse') await listen(shop.port);
    if (state !== 'refuse' && next === 'refuse') await close();
    // Hanging connections are closed without an answer.
    if (state === 'hang') server.closeAllConnections();
    state = next;
  };
  let changing = Promise.resolve();
  // One that nobody else is given while it is shut.
  await listen(await freePort());
  const shop: Shop = {
    port: (server.address() as AddressInfo).port,
    notified: new Map(),
    requests: 0,
    unverified: [],
    struck: 0,
    set(next) {
      // One change after the other: two faults may meet here.
      changing = changing.then(() => change(next));
      return changing;
    },
    async stop() {
      await changing;
      if (server.listening) await close();
    },
  };
  return shop;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request.on('error', () => {})) body += chunk;
  return body;
}

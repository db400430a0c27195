import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// In your own shop: from '@milaan/sdk'.
import { Milaan } from '../../sdk/src/milaan.ts';
import { type Answer, answerRequest } from './answer-request.ts';
import { openOrderBook } from './order-book.ts';
import { products } from './products.ts';
import { BodyTooLarge } from './read-body.ts';
import { reconcileOrders } from './reconcile-orders.ts';
import type { ShopWorld } from './shop-world.ts';

export type ShopOptions = {
  /** 0 picks a free port. */
  port: number;
  /** The Milaan installation's address. */
  baseUrl: string;
  apiKey: string;
  webhookSecret: string;
  host?: string;
  /** The address for customers and Milaan, if it differs from the one the shop listens on. */
  shopUrl?: string;
  /** The sandbox passes its own clock, which a test can move. */
  clock?: { now(): Date };
  /** A file that keeps the orders; without it they live as long as the shop. */
  ordersFile?: string;
};

export type Shop = { url: string; stop(): Promise<void> };

const reconcileEvery = 60_000;

/** Starts the shop on its own port. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const { port, host = '127.0.0.1', baseUrl, apiKey } = options;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const url = options.shopUrl ?? `http://${host}:${(server.address() as AddressInfo).port}`;
  const world: ShopWorld = {
    milaan: new Milaan({ baseUrl, apiKey }),
    book: openOrderBook(options.ordersFile ?? null),
    clock: options.clock ?? { now: () => new Date() },
    shopUrl: url,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    webhookSecret: options.webhookSecret,
  };
  const send = sender(world.baseUrl);
  server.on('request', (request, response) => {
    answer(world, request).then(
      given => send(response, given),
      error => {
        if (error instanceof BodyTooLarge) return send(response, { status: 413 });
        console.error('shop:', error);
        send(response, { status: 500 });
      },
    );
  });
  const timer = setInterval(() => {
    reconcileOrders(world).catch(error => console.error('shop: reconciliation failed:', error));
  }, reconcileEvery);
  return {
    url,
    stop() {
      clearInterval(timer);
      return new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

type Sent = Answer | { status: number; type: string; file: Buffer };

/** Static files for the browser. */
const files: Record<string, [name: string, type: string]> = {
  '/shop.css': ['shop.css', 'text/css; charset=utf-8'],
  '/widget.js': ['widget.js', 'text/javascript; charset=utf-8'],
  '/refresh.js': ['refresh.js', 'text/javascript; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
  ...Object.fromEntries(
    products.map(({ id }) => [`/pictures/${id}.svg`, [`pictures/${id}.svg`, 'image/svg+xml']]),
  ),
};

async function answer(world: ShopWorld, request: IncomingMessage): Promise<Sent> {
  const [name, type] = files[request.url ?? ''] ?? [];
  if (request.method !== 'GET' || !name || !type) return await answerRequest(world, request);
  return { status: 200, type, file: readFileSync(new URL(`browser/${name}`, import.meta.url)) };
}

function sender(baseUrl: string): (response: ServerResponse, given: Sent) => void {
  const milaan = new URL(baseUrl).origin;
  const policy =
    `default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self' ${milaan}; ` +
    // form-action names Milaan too: browsers count a form's redirect to the payment page as its target.
    `connect-src 'self' ${milaan}; form-action 'self' ${milaan}; base-uri 'none'; frame-ancestors 'none'`;
  return (response, given) => {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('cache-control', 'no-store');
    response.setHeader('referrer-policy', 'no-referrer');
    if ('page' in given) {
      response.setHeader('content-security-policy', policy);
      response.writeHead(given.status, { 'content-type': 'text/html; charset=utf-8' }).end(given.page.text);
    } else if ('json' in given) {
      response
        .writeHead(given.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(given.json));
    } else if ('location' in given) {
      response.writeHead(given.status, { location: given.location }).end();
    } else if ('file' in given) {
      response.writeHead(given.status, { 'content-type': given.type }).end(given.file);
    } else {
      response.writeHead(given.status).end();
    }
  };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ShopOptions = {
  /** 0 picks a free port. */
  port: number;
  /** The address of the Milaan installation. */
  baseUrl: string;
  apiKey: string;
  webhookSecret: string;
  host?: string;
  /** A clock to tell the time by; the sandbox hands over its own, which a test can move. */
  clock?: { now(): Date };
  /** A file that keeps the orders; without it they live as long as the shop. */
  ordersFile?: string;
};

export type Shop = { url: string; stop(): Promise<void> };

/** Starts the shop on a port of its own. */
export async function startShop({ port, host = '127.0.0.1' }: ShopOptions): Promise<Shop> {
  const server = createServer((_request, response) => response.end('the shop opens soon'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

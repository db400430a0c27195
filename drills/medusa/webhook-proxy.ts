import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy between Milaan and the shop: forwards webhooks, records them, and drops them on request. */
export type WebhookProxy = {
  url: string;
  bodies: string[];
  closed: boolean;
  leadTo(address: string): void;
  stop(): Promise<void>;
};

export async function openWebhookProxy(recordTo: string): Promise<WebhookProxy> {
  let target = '';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    proxy.bodies.push(body.toString());
    appendFileSync(recordTo, `${body}\n`);
    if (proxy.closed) {
      response.writeHead(503).end();
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => /^(webhook-|content-type)/.test(name)),
    ) as Record<string, string>;
    const { status } = await fetch(target, { method: 'POST', headers, body });
    response.writeHead(status).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const proxy: WebhookProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/payment/milaan_milaan`,
    bodies: [],
    closed: false,
    leadTo(address) {
      target = address;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return proxy;
}

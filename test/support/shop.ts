import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A shop's own web server, on another origin than the service. */
export type Shop = {
  origin: string;
  requests: ShopRequest[];
  /** Answers a path; a later call replaces the answer. */
  answer(path: string, answer: ShopAnswer): void;
  /** A checkout page with a strict policy of its own, which loads the widget and then runs `script`. Its address. */
  page(script: string, options?: PageOptions): string;
  stop(): Promise<void>;
};

export type ShopRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
type Answer = { status?: number; type?: string; headers?: Record<string, string>; body: string };
type ShopAnswer = Answer | ((request: ShopRequest) => Answer | Promise<Answer>);
/** `calls` is a further origin that the page's policy lets it call. */
type PageOptions = { body?: string; widget?: string; head?: string; calls?: string };

export async function openShop(service: string): Promise<Shop> {
  const answers = new Map<string, ShopAnswer>();
  const requests: ShopRequest[] = [];
  let pages = 0;
  const server = createServer(async (incoming, reply) => {
    let body = '';
    for await (const part of incoming) body += part;
    const request = { method: incoming.method!, path: incoming.url!, headers: incoming.headers, body };
    requests.push(request);
    const found = answers.get(request.path.split('?')[0]!) ?? { status: 404, body: '{}' };
    const answer = typeof found === 'function' ? await found(request) : found;
    reply.writeHead(answer.status ?? 200, {
      'content-type': answer.type ?? 'application/json',
      ...answer.headers,
    });
    reply.end(answer.body);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // Use another host name than the service, so that cookies and origins differ as in production.
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const policy = (calls: string) =>
    `default-src 'none'; script-src 'self' ${service}; connect-src 'self' ${service} ${calls}; ` +
    `base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  const shop: Shop = {
    origin,
    requests,
    answer: (path, answer) => {
      answers.set(path, answer);
    },
    page(script, options = {}) {
      const { body = '<div id="pay"></div>', widget = `${service}/embed/milaan.js` } = options;
      const { head = '', calls = '' } = options;
      const path = `/checkout-${++pages}`;
      shop.answer(`${path}.js`, { type: 'text/javascript', body: script });
      shop.answer(path, {
        type: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': policy(calls) },
        body:
          `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>${head}` +
          `<meta name="viewport" content="width=device-width,initial-scale=1"></head><body><main><h1>Shop</h1>${body}` +
          `</main><script src="${widget}"></script><script src="${path}.js"></script></body></html>`,
      });
      return origin + path;
    },
    stop: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  for (const path of ['/done', '/failed'])
    shop.answer(path, { type: 'text/html', body: `<!doctype html><title>${path}</title>` });
  shop.answer('/favicon.ico', { type: 'image/png', body: '' });
  return shop;
}

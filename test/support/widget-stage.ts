import type { Page } from 'playwright-core';
import { later, minute, systemClock } from '../../src/base/clock.ts';
import { counterRoutes } from '../../src/orders/links/routes.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { addMailbox, openSite, type Site } from './checkout-site.ts';
import { openShop, type Shop, type ShopRequest } from './shop.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

/** The service with its API, a shop on another origin that creates orders at `/create`, and a browser. */
export type WidgetStage = {
  world: TestWorld;
  site: Site;
  shop: Shop;
  browser: TestBrowser;
  merchant: TestMerchant;
  /** Requests that reached the service's own API. */
  apiCalls: ApiCall[];
  /** Requests that reached the shop under a path. */
  asked(path: string): ShopRequest[];
  /** An order as a shop's server might answer it, without the service behind it. */
  created(
    change?: Record<string, unknown>,
  ): Record<string, unknown> & { expires_at: string; upi_uri: string };
  stop(): Promise<void>;
};

type ApiCall = { method: string; url: string; key: unknown; body: Record<string, unknown> };

export async function openWidgetStage(): Promise<WidgetStage> {
  const world = await openTestWorld();
  world.clock.set(systemClock.now());
  world.dns.addresses.set('shop.example.com', ['93.184.216.34']);
  const apiCalls: ApiCall[] = [];
  const site = await openSite(world, async (app, files) => {
    app.addHook('preHandler', async request => {
      if (!request.url.startsWith('/api/') || request.method === 'GET') return;
      const body = request.body ? JSON.parse(String(request.body)) : {};
      apiCalls.push({ method: request.method, url: request.url, key: request.headers['x-api-key'], body });
    });
    counterRoutes(app, world, files);
    await orderRoutes(app, world);
  });
  // A status may be answered before the router and its hooks.
  site.app.server.prependListener('request', ({ method = '', url = '', headers }) => {
    if (method === 'GET' && url.startsWith('/api/'))
      apiCalls.push({ method, url, key: headers['x-api-key'], body: {} });
  });
  const shop = await openShop(site.origin);
  const browser = await openBrowser();
  const merchant = await addTestMerchant(world, { account: { kind: 'merchant', merchantCode: '5812' } });
  await addMailbox(world, merchant.merchantId);
  shop.answer('/create', ({ body }) => createThroughApi(site, shop, merchant, body));
  return {
    world,
    site,
    shop,
    browser,
    merchant,
    apiCalls,
    asked: path => shop.requests.filter(request => request.path.startsWith(path)),
    created: (change = {}) => ({
      order_id: 'ML-0000000042',
      payable_amount: 499.37,
      status: 'pending',
      expires_at: later(systemClock.now(), 5 * minute).toISOString(),
      payment_url: `${site.origin}/pay/x`,
      upi_uri: 'upi://pay?pa=chai@okaxis&pn=Chai&am=499.37&cu=INR&tn=ML-0000000042',
      qr_base64: null,
      payment_account_id: 'acc_1',
      ...change,
    }),
    async stop() {
      await browser.stop();
      await shop.stop();
      await site.stop();
      await world.stop();
    },
  };
}

/** The shop's server as §4.4 wants it: it adds its own fields, and the key stays with it. */
async function createThroughApi(site: Site, shop: Shop, { apiKey }: TestMerchant, body: string) {
  const answer = await fetch(`${site.origin}/api/v1/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({
      amount: (JSON.parse(body) as { amount: number }).amount,
      merchant_order_id: `cart-${shop.requests.length}`,
      success_url: `${shop.origin}/done`,
      failure_url: `${shop.origin}/failed`,
      webhook_url: 'https://shop.example.com/hook',
    }),
  });
  return { status: answer.status, body: await answer.text() };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return { status, headers, body: JSON.stringify(body) };
}

export function mount(options: string, selector = '#pay'): string {
  return `Milaan.mount('${selector}', ${options})`;
}

/** Types an amount and asks for the QR, in the page or in a part of it. */
export async function pay(where: Pick<Page, 'getByRole'>, amount = '499'): Promise<void> {
  await where.getByRole('textbox').fill(amount);
  await where.getByRole('button').click();
}

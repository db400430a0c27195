import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConnectStarted,
  type Credentials,
  finishConnect,
  Milaan,
  startConnect,
} from '../../../sdk/src/milaan.ts';
import { connectRoutes } from '../../../src/developers/connect/routes.ts';
import { orderRoutes } from '../../../src/orders/routes.ts';
import { accessibilityProblems, desktop, openBrowser, phone } from '../../support/browser.ts';
import { addTestUser, openDashboard, testPassword } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';

const { after, test, use } = needs('Chromium');

const world = use(openTestWorld);
const site = use(async () =>
  openDashboard(world, async app => {
    await connectRoutes(app, world);
    await orderRoutes(app, world);
  }),
);
const browser = use(openBrowser);
const merchant = use(() => addTestMerchant(world, { name: 'Anand Tea House' }));
const owner = use(() => addTestUser(world, merchant.merchantId, 'owner'));
const shop = use(() => openShop(site.origin));
after(async () => {
  shop?.server.close();
});

type Shop = { server: Server; url: string; credentials: Credentials | null; refused: string | null };

/** A shop's settings page as a plugin makes it: /connect sets out, /back returns. */
async function openShop(installation: string): Promise<Shop> {
  let kept: ConnectStarted | null = null;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', opened.url);
    if (url.pathname === '/connect') {
      const shop = {
        shop_name: 'My tea shop',
        return_url: `${opened.url}/back?tab=1`,
        webhook_url: `${opened.url}/hook`,
      };
      kept = await startConnect(installation, shop);
      return response.writeHead(303, { location: kept.url }).end();
    }
    if (url.pathname !== '/back' || kept === null) return response.writeHead(404).end('nothing');
    const before = kept;
    kept = null;
    await finishConnect(before, url.searchParams).then(
      credentials => Object.assign(opened, { credentials, refused: null }),
      error => Object.assign(opened, { credentials: null, refused: error.code }),
    );
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${opened.refused ?? 'Connected'}</h1>`);
  });
  const opened: Shop = { server, url: '', credentials: null, refused: null };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return opened;
}

for (const [name, size] of [
  ['phone', phone],
  ['desktop', desktop],
] as const) {
  test(`on a ${name}: from the shop's button through sign-in and consent back to a shop that can sell`, async () => {
    const { page, troubles, close } = await browser.open(size);
    await page.goto(`${shop.url}/connect`);
    await page.getByLabel('Email address').fill(owner.email);
    await page.getByLabel('Password').fill(testPassword);
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { name: /“My tea shop” wants to take payments for Anand Tea House/ })
      .waitFor();
    assert.match((await page.locator('main').textContent()) ?? '', new RegExp(new URL(shop.url).host));
    assert.deepEqual(await accessibilityProblems(page), []);
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    assert.ok(width <= (page.viewportSize()?.width ?? 0), `${width} wide`);
    await page.getByRole('button', { name: 'Connect this shop' }).click();
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('tab'), '1');
    assert.equal(shop.credentials?.payment_account_id, merchant.accountId);
    const milaan = new Milaan({ baseUrl: site.origin, apiKey: shop.credentials?.api_key ?? '' });
    const { data } = await milaan.listOrders();
    assert.deepEqual(data, []);
    // A reload of the return page exchanges nothing twice: the shop forgot what it kept.
    await page.reload();
    await milaan.listOrders();
    await page.goto(`${site.origin}/dashboard/integrations`);
    await page.locator('li', { hasText: 'My tea shop' }).first().waitFor();
    assert.deepEqual(troubles, []);
    await close();
  });
}

test('in Hindi too, and "no" leads back to the shop without a key', async () => {
  const { page, troubles, close } = await browser.open({ ...phone, locale: 'hi-IN' });
  await page.goto(`${shop.url}/connect`);
  await page.locator('#email').fill(owner.email);
  await page.locator('#password').fill(testPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'नहीं, वापस जाएँ' }).click();
  await page.getByRole('heading', { name: 'access_denied' }).waitFor();
  assert.equal(shop.credentials, null);
  assert.deepEqual(troubles, []);
  await close();
});

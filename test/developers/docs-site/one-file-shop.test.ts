import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../src/base/free-port.ts';
import { openBrowser, phone } from '../../support/browser.ts';
import { readSamples } from '../../support/doc-samples.ts';
import { needs } from '../../support/needs.ts';
import { olderNode } from '../../support/older-node.ts';
import { newSampleProject } from '../../support/sample-project.ts';
import { type ShopProcess, startShopProcess } from '../../support/shop-process.ts';
import { until } from '../../support/until.ts';
import { openWholeService } from '../../support/whole-service.ts';

const { prepare, test, use } = needs('Chromium');

type Book = Record<string, { state: string; at: number; order_id: string; bank_reference?: string }>;

let shop: ShopProcess | null = null;
let url = '';
const service = use(openWholeService);
prepare(async () => {
  service.world.clock.set(new Date());
});
const project = use(newSampleProject);
const browser = use(openBrowser);
prepare(async () => {
  const recipe = readSamples().find(one => one.recipe === 'one-file');
  assert.ok(recipe, 'docs/recipes.md has no whole shop');
  project.write('shop.mjs', recipe.code);
});
use(async () => {
  await startShop();
  return { stop: () => shop?.stop() };
});

async function startShop(): Promise<void> {
  const port = await freePort('127.0.0.1');
  url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    MILAAN_URL: service.url,
    MILAAN_API_KEY: service.merchant.apiKey,
    MILAAN_WEBHOOK_SECRET: service.webhookSecret,
    SHOP_URL: url,
    PORT: String(port),
  };
  shop = startShopProcess([olderNode().path, 'shop.mjs'], { env, cwd: project.folder });
  await until('the shop listens', () => fetch(url).then(Boolean, () => false)).catch(error => {
    throw new Error(`${error.message}: ${shop?.said()}`);
  });
}

const book = () => JSON.parse(readFileSync(join(project.folder, 'orders.json'), 'utf8')) as Book;

const post = (path: string, body = '{}') =>
  fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

async function bought(product: string, body = '{}'): Promise<{ order_id: string; payable_amount: number }> {
  const created = await post(`/buy/${product}`, body);
  assert.equal(created.status, 201);
  return (await created.json()) as { order_id: string; payable_amount: number };
}

test('a customer buys in the one-file shop: widget, webhook, thanks page, and the order is paid', async () => {
  const { page, troubles, close } = await browser.open(phone);
  await page.goto(url);
  await page.getByRole('link', { name: 'Assam tea' }).click();
  await page.getByRole('button', { name: /Pay ₹499/ }).click();
  await page.getByText('Pay exactly').first().waitFor();
  const [order] = await service.world.sql`select merchant_order_id, payable_paise from orders`;
  await service.pay(order?.['payable_paise'] / 100, '615300112233');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  const { state, bank_reference } = book()[order?.['merchant_order_id']]!;
  assert.deepEqual([state, bank_reference], ['paid', '615300112233']);
  assert.deepEqual(troubles, []);
  await close();
});

test('the one-file shop refuses a forged webhook, sells only its own products, and trusts no address', async () => {
  assert.equal((await post('/webhooks/upi', '{"type":"payment.paid"}')).status, 400);
  assert.equal((await post('/buy/constructor')).status, 404);
  const { order_id, payable_amount } = await bought('kulhad', '{"amount":1}');
  assert.ok(payable_amount > 240, String(payable_amount));
  assert.match(await (await fetch(`${url}/thanks/${order_id}?status=paid`)).text(), /One moment/);
});

test('the one-file shop’s reconciliation finds a payment that came while it was down', async () => {
  const { order_id, payable_amount } = await bought('assam');
  shop?.stop();
  await service.pay(payable_amount);
  const aged = book();
  const [id, order] = Object.entries(aged).find(([, one]) => one.order_id === order_id)!;
  order.at -= 16 * 60_000;
  writeFileSync(join(project.folder, 'orders.json'), JSON.stringify(aged));
  await startShop();
  await until('the shop knows of it', async () =>
    (await (await fetch(`${url}/thanks/${order_id}`)).text()).includes('Thank you'),
  );
  assert.equal(book()[id]?.state, 'paid');
});

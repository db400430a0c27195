import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock } from 'node:test';
import { hour } from '../../src/base/clock.ts';
import { type App, newApp } from '../../src/base/http/app.ts';
import { paise } from '../../src/base/money.ts';
import { randomDigits } from '../../src/base/random.ts';
import { moveCommands } from '../../src/operator/moving/move-commands.ts';
import { buildBrowser } from '../../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../../src/orders/page/routes.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { enterReference } from '../../src/payments/review/enter-reference.ts';
import { orderBody } from './api.ts';
import { addMailbox } from './checkout-site.ts';
import { payableOf, storedCredit } from './credit.ts';
import { fillMerchant } from './dashboard-merchant.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

export type Place = { world: TestWorld; app: App };
/** Two installations with one clock's reading and one key: what leaves one arrives in the other. */
export const places = {} as { from: Place; to: Place };
let folder = '';
let files = 0;

export function newFile(): string {
  return join(folder, `${++files}.tar.gz`);
}

export function openMovingStage(): void {
  before(async () => {
    // Several test files share this module in one process, and each removes its own folder.
    folder = mkdtempSync(join(tmpdir(), 'milaan-move-'));
    const browser = await buildBrowser();
    const open = async (): Promise<Place> => {
      const world = await openTestWorld();
      world.dns.addresses.set('shop.example.com', ['93.184.216.34']);
      return { world, app: newApp(world) };
    };
    const [from, to] = await Promise.all([open(), open()]);
    Object.assign(places, { from, to });
    // The same key, and a box of its own, as two processes have: what one has learned the other has not.
    to.world.secrets = { ...from.world.secrets };
    for (const { world, app } of [from, to]) {
      await orderRoutes(app, world);
      checkoutRoutes(app, world, { files: browser, claim: enterReference, isBlind: async () => false });
      await app.ready();
    }
  });
  after(async () => {
    for (const { world, app } of [places.from, places.to]) {
      await app.close();
      await world.stop();
    }
    rmSync(folder, { recursive: true, force: true });
  });
}

export const arrive = (file: string) => milaan(places.to.world, 'import-business', { file });

export async function milaan(
  world: TestWorld,
  name: string,
  options: Record<string, string>,
): Promise<string> {
  const command = moveCommands[name]!;
  const said = mock.method(console, 'log', () => {});
  try {
    if (command.needs === 'database') await command.run(world, options);
    return said.mock.calls.map(call => call.arguments.join(' ')).join('\n');
  } finally {
    said.mock.restore();
  }
}

export async function exported(merchantId: number, options: Record<string, string> = {}): Promise<string> {
  const into = newFile();
  await milaan(places.from.world, 'export-business', { business: String(merchantId), into, ...options });
  return into;
}

export const get = (app: App, path: string, apiKey: string) =>
  app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': apiKey } });

export const create = (app: App, apiKey: string, change = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/orders',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    payload: JSON.stringify(orderBody(change)),
  });

/** A business with a row in every table, by which no rule is broken. */
export async function filled() {
  const { world } = places.from;
  const merchant = await fillMerchant(world);
  const { merchantId } = merchant;
  // Each delivery that waits has its event.
  await world.sql`
    insert into events (merchant_id, event_id, type, webhook_url, created_at)
    select merchant_id, event_id, 'webhook.test', 'https://shop.example/hook', ${world.clock.now()}
    from delivery_queue where merchant_id = ${merchantId}`;
  await world.sql`update collections set collected_paise = 0 where merchant_id = ${merchantId}`;
  await world.sql`
    update amounts a set held_until = o.expires_at + interval '12 minutes' from orders o
    where a.merchant_id = ${merchantId} and o.merchant_id = a.merchant_id and o.order_id = a.order_id`;
  return merchant;
}

/** Orders of every status, with what the API and its customers read of them. */
export async function busyShop(): Promise<TestMerchant> {
  const { world, app } = places.from;
  const merchant = await addTestMerchant(world);
  await addMailbox(world, merchant.merchantId);
  const order = async (change = {}) => (await create(app, merchant.apiKey, change)).json();
  const pay = async (made: { payable_amount: number }) =>
    confirmPayment(world, await storedCredit(world, merchant.merchantId, { amount: payableOf(made) }));
  await order({ customer: { name: 'मीरा', note: '"\\ 12345678901234567890' } });
  world.clock.advance(hour);
  for (let count = 0; count < 4; count++) await pay(await order({ amount: 100 + count }));
  const [review, declined] = [await order({ amount: 77 }), await order({ amount: 78 })];
  const claim = { merchantId: merchant.merchantId, orderId: review.order_id, now: world.clock.now() };
  const reference = `69${randomDigits(10)}`;
  await enterReference(world, { ...claim, reference });
  await confirmPayment(
    world,
    await storedCredit(world, merchant.merchantId, { amount: paise(9_901), reference }),
  );
  await world.sql`update orders set status = 'failed' where order_id = ${declined.order_id}`;
  await order();
  return merchant;
}

/** Every answer that the API and the pages give about a business, byte for byte. */
export async function answers(app: App, { apiKey }: TestMerchant): Promise<string[]> {
  const list = await get(app, '/orders?limit=100', apiKey);
  const paged = await get(app, '/orders?limit=3', apiKey);
  const said = [list.body, paged.body];
  for (const { order_id, payment_url } of list.json().data) {
    const { pathname } = new URL(payment_url);
    said.push((await get(app, `/orders/${order_id}`, apiKey)).body);
    for (const path of [pathname, `${pathname}/status`]) {
      const answer = await app.inject({ url: path, headers: { 'accept-language': 'en' } });
      said.push(`${answer.statusCode} ${answer.body.replaceAll(/nonce[-=]"?[\w+/=-]+/g, 'nonce')}`);
    }
  }
  return said;
}

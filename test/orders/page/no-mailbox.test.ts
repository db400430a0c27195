import assert from 'node:assert/strict';
import { disconnectMailbox } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { later, minute, systemClock } from '../../../src/base/clock.ts';
import { addMailbox, addTestOrder } from '../../support/checkout-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { json, mount, openWidgetStage, pay } from '../../support/widget-stage.ts';

const { test, use } = needs('Chromium');

const stage = use(openWidgetStage);

const get = async (path: string) => await (await fetch(stage.site.origin + path)).text();
const status = async (path: string) => JSON.parse(await get(`${path}/status`)) as Record<string, unknown>;
const unwatched = async (change: Parameters<typeof addTestOrder>[2] = {}) => {
  const merchant = await addTestMerchant(stage.world, { account: { kind: 'merchant' } });
  return { merchant, order: await addTestOrder(stage.world, merchant, { mailbox: false, ...change }) };
};

for (const [language, heading] of [
  ['en', 'This shop can&#39;t confirm UPI payments right now'],
  ['hi', 'यह दुकान अभी UPI भुगतान की पुष्टि नहीं कर सकती'],
] as const) {
  test(`without a mailbox the page says so and offers no payment, in ${language}`, async () => {
    const { order } = await unwatched();
    const text = await get(`${order.path}?lang=${language}`);
    assert.match(text, new RegExp(`<h1 tabindex="-1">${heading}`));
    assert.ok(text.includes(order.orderId));
    assert.doesNotMatch(text, /class="qr"|chai@okaxis|upi:|id="pending"|id="stay"/);
  });
}

test('an account without a bank asks nobody for money either: no alert could pay it (R13)', async () => {
  const { world } = stage;
  const merchant = await addTestMerchant(world);
  const order = await addTestOrder(world, merchant);
  await world.sql`update upi_accounts set bank = null where merchant_id = ${merchant.merchantId}`;
  assert.equal((await status(order.path))['payable'], false);
  assert.doesNotMatch(await get(order.path), /class="qr"|upi:|id="pending"/);
  await world.sql`update upi_accounts set bank = 'hdfc' where merchant_id = ${merchant.merchantId}`;
  assert.equal('payable' in (await status(order.path)), false);
  assert.match(await get(order.path), /class="qr"/);
});

test('an order that expired without a mailbox promises no late confirmation', async () => {
  const { order } = await unwatched({ age: 6 * minute });
  assert.match(await get(order.path), /data-state="expired"/);
  assert.match(await get(`${order.path}?stay=1`), /data-state="over"/);
});

test('the public status marks an order that no mail can confirm, and only while it could still be paid', async () => {
  const { merchant, order } = await unwatched();
  assert.equal((await status(order.path))['payable'], false);
  const over = await addTestOrder(stage.world, merchant, { mailbox: false });
  await stage.world.sql`update orders set status = 'failed' where order_id = ${over.orderId}`;
  assert.equal('payable' in (await status(over.path)), false);
  await addMailbox(stage.world, merchant.merchantId);
  assert.equal('payable' in (await status(order.path)), false);
});

test('after the owner disconnects a mailbox, its open orders stay payable, and later ones are not', async () => {
  const { world } = stage;
  const merchant = await addTestMerchant(world);
  const open = await addTestOrder(world, merchant, { age: 3 * minute });
  const ended = await world.sql.begin(tx => disconnectMailbox(tx, merchant.merchantId, world.clock.now()));
  assert.deepEqual(ended, { readUntil: later(world.clock.now(), 14 * minute) });
  const next = await addTestOrder(world, merchant, { mailbox: false });
  assert.equal('payable' in (await status(open.path)), false);
  assert.equal((await status(next.path))['payable'], false);
  assert.match(await get(open.path), /class="qr"/);
});

test('a waiting page shows how to pay as soon as the shop connected its mailbox, and not after it is removed', async () => {
  const { merchant, order } = await unwatched();
  const { page, troubles, close } = await stage.browser.open();
  await page.goto(stage.site.origin + order.path);
  await page.getByRole('heading', { name: 'confirm UPI payments right now' }).waitFor();
  await addMailbox(stage.world, merchant.merchantId);
  await page.locator('.qr').waitFor();
  await stage.world.sql`delete from mailboxes where merchant_id = ${merchant.merchantId}`;
  await page.getByRole('heading', { name: 'confirm UPI payments right now' }).waitFor();
  assert.equal(await page.locator('.qr').count(), 0);
  assert.deepEqual(troubles, []);
  await close();
});

for (const options of [`createOrderUrl: '/create-u'`, `createOrderUrl: '/create-u', statusUrl: '/status/'`]) {
  test(`the widget shows no QR for such an order, with { ${options} }`, async () => {
    const { order } = await unwatched();
    const created = stage.created({ payment_url: stage.site.origin + order.path });
    stage.shop.answer('/create-u', json(201, created));
    stage.shop.answer('/status/', json(200, created));
    const { page, troubles, close } = await stage.browser.open();
    await page.goto(stage.shop.page(mount(`{ ${options} }`)));
    await pay(page);
    await page.getByRole('heading', { name: "This shop can't confirm UPI payments right now" }).waitFor();
    await page.getByText('Please do not pay here; contact the shop.').first().waitFor();
    assert.equal((await page.getByRole('link').count()) + (await page.getByRole('button').count()), 0);
    assert.equal(await page.getByText('Pay exactly').count(), 0);
    assert.deepEqual(troubles, []);
    await close();
  });
}

test('the widget shows no QR with the test key either, though the create answers as specified', async () => {
  const { merchant } = await unwatched();
  stage.world.clock.set(systemClock.now());
  const { page, close } = await stage.browser.open();
  const answered = page.waitForResponse(response => response.url().endsWith('/api/v1/orders'));
  const options = `apiKey: '${merchant.apiKey}', origin: '${stage.site.origin}', webhookUrl: 'https://shop.example.com/hook'`;
  await page.goto(stage.shop.page(mount(`{ ${options} }`)));
  await pay(page);
  const created = (await (await answered).json()) as Record<string, unknown>;
  assert.match(String(created['upi_uri']), /^upi:/);
  assert.match(String(created['qr_base64']), /^data:image/);
  await page.getByRole('heading', { name: 'confirm UPI payments right now' }).waitFor();
  await close();
});

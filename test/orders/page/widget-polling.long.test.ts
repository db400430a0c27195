import assert from 'node:assert/strict';
import { later, minute, second } from '../../../src/base/clock.ts';
import { assertUnhurried, turnTab } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { answersRead, installClock } from '../../support/page-clock.ts';
import type { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { json, mount, openWidgetStage, pay } from '../../support/widget-stage.ts';

const { test, use } = needs('Chromium');

const stage = use(openWidgetStage);

test('statusUrl is used before key and public status, and asked every two seconds', async () => {
  const { page, close } = await stage.browser.open();
  stage.shop.answer('/create-a', json(201, stage.created({ order_id: 'ML-0000000001' })));
  stage.shop.answer('/status-a/ML-0000000001', json(200, { order_id: 'ML-0000000001', status: 'pending' }));
  stage.apiCalls.length = 0;
  await page.goto(
    stage.shop.page(mount(`{ createOrderUrl: '/create-a', statusUrl: '/status-a/', apiKey: 'k' }`)),
  );
  await pay(page);
  await until('four questions', () => stage.asked('/status-a/').length >= 4);
  await assertUnhurried(page, '/status-a/');
  assert.equal(stage.apiCalls.length, 0);
  await close();
});

for (const status of [401, 403, 404]) {
  test(`polling stops on ${status}, and the customer is notified`, async () => {
    const { page, close } = await stage.browser.open();
    await installClock(page);
    const path = `/status-${status}/`;
    stage.shop.answer('/create-s', json(201, stage.created()));
    stage.shop.answer(`${path}ML-0000000042`, json(status, { error: 'x' }));
    await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-s', statusUrl: '${path}' }`)));
    await pay(page);
    await page.getByText('Pay exactly ₹499.37, paise included').first().waitFor();
    await page.clock.runFor(3 * second);
    await page.getByText('This payment can no longer be followed here.').first().waitFor();
    await page.clock.runFor(20 * second);
    await turnTab(page, 'visible');
    assert.equal(stage.asked(path).length, 1);
    await close();
  });
}

test('polling stops when the order failed', async () => {
  const { page, close } = await stage.browser.open();
  await installClock(page);
  stage.shop.answer('/create-f', json(201, stage.created()));
  stage.shop.answer('/status-f/ML-0000000042', json(200, stage.created({ status: 'failed' })));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-f', statusUrl: '/status-f/' }`)));
  await pay(page);
  await page.getByText('Pay exactly').first().waitFor();
  await page.clock.runFor(3 * second);
  await page.getByText('The payment did not go through').first().waitFor();
  await page.clock.runFor(20 * second);
  assert.equal(stage.asked('/status-f/').length, 1);
  await close();
});

test('polling continues through 500, 402, garbage, another order’s answer and manual_review', async () => {
  const { page, troubles, close } = await stage.browser.open();
  await installClock(page);
  stage.shop.answer('/create-g', json(201, stage.created()));
  stage.shop.answer('/status-g/ML-0000000042', json(500, {}));
  await page.goto(
    stage.shop.page(
      `window.paid = 0; ${mount(`{ createOrderUrl: '/create-g', statusUrl: '/status-g/', onSuccess: () => paid++ }`)}`,
    ),
  );
  await pay(page);
  await page.getByText('Pay exactly').first().waitFor();
  const hears = async (answer: Parameters<Shop['answer']>[1], text: string) => {
    stage.shop.answer('/status-g/ML-0000000042', answer);
    const before = stage.asked('/status-g/').length;
    await page.clock.runFor(2_100);
    await until('it is asked again', () => stage.asked('/status-g/').length > before);
    await answersRead(page);
    await page.getByText(text).first().waitFor();
  };
  await hears(json(500, {}), 'No connection right now.');
  await hears(
    json(402, { error: 'plan_limit_reached' }),
    "This shop can't take new UPI payments here right now.",
  );
  await hears({ body: '<html>' }, 'No connection right now.');
  await hears(json(200, { order_id: 'ML-9999999999', status: 'paid' }), 'No connection right now.');
  await hears(json(200, 'paid'), 'No connection right now.');
  await hears(json(200, stage.created()), 'Waiting for your payment');
  await hears(json(200, { status: 'manual_review' }), 'The shop is checking this payment');
  assert.equal(await page.evaluate('paid'), 0);
  await hears(json(200, { status: 'paid' }), 'The shop has received ₹499.37.');
  assert.equal(await page.evaluate('paid'), 1);
  assert.deepEqual(troubles, []);
  await close();
});

test('an expired order loses its QR, and is polled until ten minutes after its expiry by the server’s clock', async () => {
  const { page, close } = await stage.browser.open();
  await installClock(page);
  const order = stage.created({ status: 'expired' });
  const at = (age: number) => ({ date: later(new Date(order.expires_at), age).toUTCString() });
  stage.shop.answer('/create-e', json(200, { ...order, idempotent_replay: true }, at(second)));
  stage.shop.answer('/status-e/ML-0000000042', json(200, order, at(10 * minute - 5 * second)));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-e', statusUrl: '/status-e/' }`)));
  await pay(page);
  await page.getByText('This payment has expired').first().waitFor();
  await page.clock.runFor(2_100);
  await until('it is asked', () => stage.asked('/status-e/').length > 0);
  await answersRead(page);
  stage.shop.answer('/status-e/ML-0000000042', json(200, order, at(10 * minute + second)));
  await page.clock.runFor(2_100);
  await page.getByText('No payment of this exact amount was found').first().waitFor();
  const asked = stage.asked('/status-e/').length;
  assert.ok(asked > 1);
  await page.clock.runFor(20 * second);
  assert.equal(stage.asked('/status-e/').length, asked);
  await close();
});

test('a late payment of an expired order is still shown, even if the customer started a new order', async () => {
  const { page, close } = await stage.browser.open();
  await installClock(page);
  stage.shop.answer('/create-l', json(201, stage.created()));
  stage.shop.answer('/status-l/ML-0000000042', json(200, { status: 'expired' }));
  await page.goto(
    stage.shop.page(
      `window.paid = 0; ${mount(`{ createOrderUrl: '/create-l', statusUrl: '/status-l/', onSuccess: () => paid++ }`)}`,
    ),
  );
  await pay(page);
  await page.locator('svg.qr, .waiting').first().waitFor();
  await page.clock.runFor(2_100);
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByRole('textbox').waitFor();
  stage.shop.answer('/status-l/ML-0000000042', json(200, { status: 'paid' }));
  await page.clock.runFor(2_100);
  await page.getByText('The shop has received ₹499.37.').first().waitFor();
  assert.equal(await page.evaluate('paid'), 1);
  await close();
});

test('a widget removed from the page stops polling', async () => {
  const { page, close } = await stage.browser.open();
  await installClock(page);
  stage.shop.answer('/create-r', json(201, stage.created()));
  stage.shop.answer('/status-r/ML-0000000042', json(200, { status: 'pending' }));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-r', statusUrl: '/status-r/' }`)));
  await pay(page);
  await page.getByText('Pay exactly').first().waitFor();
  const asked = () => stage.asked('/status-r/').length;
  const before = asked();
  await page.evaluate(`document.querySelector('#pay').remove()`);
  await page.clock.runFor(2_100);
  await until('it is asked once more', () => asked() > before);
  await answersRead(page);
  await page.clock.runFor(20 * second);
  // One may have been due before it was taken out.
  assert.ok(asked() <= before + 2, String(asked()));
  await close();
});

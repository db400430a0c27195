import assert from 'node:assert/strict';
import { minute } from '../../../src/base/clock.ts';
import { accessibilityProblems, phone } from '../../support/browser.ts';
import { setPaid } from '../../support/checkout-site.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { json, mount, openWidgetStage, pay } from '../../support/widget-stage.ts';
import { paysInWidget } from './widget-journey.ts';

const { test, use } = needs('Chromium');

const stage = use(openWidgetStage);

test('on a phone, in a shop with a strict policy: amount, QR, payment, onSuccess once', () =>
  paysInWidget(stage, phone));

test('with apiKey the widget creates the order itself, with the table’s defaults, and reads it with the key', async () => {
  const { page, close } = await stage.browser.open();
  const address = stage.shop.page(
    mount(`{ apiKey: '${stage.merchant.apiKey}', webhookUrl: 'https://shop.example.com/h' }`),
  );
  stage.apiCalls.length = 0;
  await page.goto(address);
  await pay(page);
  await page.locator('svg.qr').waitFor();
  const { body, key } = stage.apiCalls.find(call => call.method === 'POST')!;
  assert.equal(key, stage.merchant.apiKey);
  assert.match(String(body['merchant_order_id']), /^order_\d{13}$/);
  assert.deepEqual(body, {
    amount: 499,
    merchant_order_id: body['merchant_order_id'],
    success_url: address,
    failure_url: address,
    webhook_url: 'https://shop.example.com/h',
  });
  await until('the order is looked up', () => stage.apiCalls.some(call => call.method === 'GET'));
  const lookup = stage.apiCalls.find(call => call.method === 'GET')!;
  assert.match(lookup.url, /^\/api\/v1\/orders\/ML-\d{10}$/);
  assert.equal(lookup.key, stage.merchant.apiKey);
  await close();
});

test('with apiKey every option of the table is sent', async () => {
  const { page, close } = await stage.browser.open();
  const options = {
    apiKey: stage.merchant.apiKey,
    merchantOrderId: 'my-1',
    successUrl: 'https://shop.example.com/s',
    failureUrl: 'https://shop.example.com/f',
    webhookUrl: 'https://shop.example.com/w',
    customer: { name: 'Asha', email: 'asha@example.com' },
    paymentAccountId: stage.merchant.accountId,
  };
  stage.apiCalls.length = 0;
  await page.goto(stage.shop.page(mount(JSON.stringify(options))));
  await pay(page);
  await page.locator('svg.qr').waitFor();
  assert.deepEqual(stage.apiCalls.find(call => call.method === 'POST')!.body, {
    amount: 499,
    merchant_order_id: 'my-1',
    success_url: options.successUrl,
    failure_url: options.failureUrl,
    webhook_url: options.webhookUrl,
    customer: options.customer,
    payment_account_id: stage.merchant.accountId,
  });
  await close();
});

test('the default webhook_url is the page’s origin and /webhooks/upi', async () => {
  const { page, close } = await stage.browser.open();
  stage.apiCalls.length = 0;
  await page.goto(stage.shop.page(mount(`{ apiKey: '${stage.merchant.apiKey}' }`)));
  await pay(page);
  await until('the create arrives', () => stage.apiCalls.some(call => call.method === 'POST'));
  assert.equal(
    stage.apiCalls.find(call => call.method === 'POST')!.body['webhook_url'],
    `${stage.shop.origin}/webhooks/upi`,
  );
  await close();
});

test('an older page works unchanged: older path, older global, older option', async () => {
  const { page, close } = await stage.browser.open();
  // A copy of the script on the shop's own server, so that only `gateway` can tell where the service is.
  const bytes = await (await fetch(`${stage.site.origin}/widget.js`)).text();
  stage.shop.answer('/copied.js', { type: 'text/javascript', body: bytes });
  const script = `UpiWidget.mount('#pay', { gateway: '${stage.site.origin}/', apiKey: '${stage.merchant.apiKey}', webhookUrl: 'https://shop.example.com/h' })`;
  await page.goto(stage.shop.page(script, { widget: '/copied.js' }));
  await pay(page);
  await page.locator('svg.qr').waitFor();
  assert.equal(await page.evaluate('UpiWidget === Milaan'), true);
  await close();
});

test('the sum is explained by its price and addition, and by neither if the shop’s server charges another price', async () => {
  const { page, close } = await stage.browser.open();
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create' }`)));
  await pay(page, '33');
  await page
    .getByText(/^₹33\.00 \+ ₹0\.\d\d, so that the shop can tell your payment from others\.$/)
    .waitFor();
  stage.shop.answer('/create-other', json(201, stage.created({ payable_amount: 1200.02 })));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-other' }`)));
  await pay(page, '33');
  await page.getByText('The paise tell the shop which payment is yours.').waitFor();
  await close();
});

test('with statusUrl or a key the public status is never asked', async () => {
  for (const options of [
    `apiKey: '${stage.merchant.apiKey}', webhookUrl: 'https://shop.example.com/h'`,
    `createOrderUrl: '/create', statusUrl: '/status-n/'`,
  ]) {
    const { page, close } = await stage.browser.open();
    const asked: string[] = [];
    page.on('request', request => void asked.push(request.url().replace(/\/pay\/[\w-]{30}/, '/pay')));
    stage.shop.answer('/status-n/', json(200, { status: 'pending' }));
    await page.goto(stage.shop.page(mount(`{ ${options} }`)));
    await pay(page);
    await until('the status is asked', () => asked.some(url => /orders\/ML|status-n/.test(url)));
    assert.deepEqual(
      asked.filter(url => url.includes('/pay')),
      [`${stage.site.origin}/pay/payable`],
    );
    await close();
  }
});

test('a fixed merchantOrderId gets no new order after its expiry: the customer reads what to do instead', async () => {
  const { page, close } = await stage.browser.open();
  const options = `apiKey: '${stage.merchant.apiKey}', merchantOrderId: 'fixed-1', webhookUrl: 'https://shop.example.com/h'`;
  await page.goto(stage.shop.page(mount(`{ ${options} }`)));
  await pay(page, '61');
  await page.locator('svg.qr').waitFor();
  const before = stage.world.clock.now();
  stage.world.clock.advance(6 * minute);
  const says = page.getByText('To pay again, go back to the shop and begin a new order.');
  await says.first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Start again' }).count(), 0);
  assert.deepEqual(await accessibilityProblems(page), []);
  // Another widget, and a server of the shop, would only get the same expired order.
  await page.reload();
  await pay(page, '61');
  await page.getByText('This payment has expired').first().waitFor();
  await says.first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Start again' }).count(), 0);
  stage.world.clock.set(before);
  await close();
});

test('several widgets on one page work independently', async () => {
  const { page, close } = await stage.browser.open();
  stage.shop.answer('/create-1', json(201, stage.created({ order_id: 'ML-1', payable_amount: 1.11 })));
  stage.shop.answer('/create-2', json(201, stage.created({ order_id: 'ML-2', payable_amount: 2.22 })));
  stage.shop.answer('/status-m/ML-1', json(200, { status: 'pending' }));
  stage.shop.answer('/status-m/ML-2', json(200, { status: 'paid' }));
  const script = `${mount(`{ createOrderUrl: '/create-1', statusUrl: '/status-m/', title: 'One' }`, '#a')};
    ${mount(`{ createOrderUrl: '/create-2', statusUrl: '/status-m/', title: 'Two' }`, '#b')}`;
  await page.goto(stage.shop.page(script, { body: '<div id="a"></div><div id="b"></div>' }));
  await pay(page.locator('#a'), '1');
  await pay(page.locator('#b'), '2');
  await page.getByText('The shop has received ₹2.22.').first().waitFor();
  await page.locator('#a').getByText('Pay exactly ₹1.11').first().waitFor();
  await close();
});

test('a widget called from the head waits for its container', async () => {
  const { page, close } = await stage.browser.open();
  stage.shop.answer('/head.js', { type: 'text/javascript', body: mount(`{ createOrderUrl: '/create' }`) });
  const head = `<script src="${stage.site.origin}/embed/milaan.js"></script><script src="/head.js"></script>`;
  await page.goto(stage.shop.page('', { head }));
  await page.getByRole('heading', { name: 'Pay with UPI' }).waitFor();
  await close();
});

test('the widget works with a keyboard alone, and axe finds nothing in any state', async () => {
  const { page, close } = await stage.browser.open(phone);
  const head = `<meta name="color-scheme" content="light dark">`;
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create' }`), { head }));
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('textbox').focus();
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await page.locator('svg.qr').waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await setPaid(stage.world, { orderId: await newest() });
  await page.getByText('There is nothing more to pay.').first().waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await close();
});

async function newest(): Promise<string> {
  const [row] = await stage.world.sql<{ order_id: string }[]>`
    select order_id from orders where status = 'pending' and amount_paise = 2500 limit 1`;
  return row!.order_id;
}

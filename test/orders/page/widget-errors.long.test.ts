import assert from 'node:assert/strict';
import { phone } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import type { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { json, mount, openWidgetStage, pay } from '../../support/widget-stage.ts';

const { test, use } = needs('Chromium');

const stage = use(openWidgetStage);

for (const code of ['plan_limit_reached', 'payment_account_paused']) {
  test(`402 ${code} on create shows the specified text, to the letter`, async () => {
    const { page, close } = await stage.browser.open();
    stage.shop.answer(
      '/create-402',
      json(402, { error: code, message: 'x', upgrade_url: 'https://x.example' }),
    );
    await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-402' }`)));
    await pay(page);
    const text = await page.getByRole('alert').textContent();
    assert.equal(text, "This shop can't take new UPI payments here right now. Please contact the shop.");
    await close();
  });
}

test('a failing create is explained, logged to the console, and can be tried again', async () => {
  const { page, troubles, close } = await stage.browser.open();
  const console: string[] = [];
  page.on('console', message => console.push(message.text()));
  const fails: [Parameters<Shop['answer']>[1], RegExp][] = [
    [json(500, { error: 'boom' }), /could not be started/],
    [json(503, { error: 'all_payment_slots_busy' }), /Too many payments/],
    [{ body: 'not json' }, /could not be started/],
    [json(201, { order_id: 7 }), /could not be started/],
    [json(201, stage.created({ payment_url: 'javascript:alert(1)' })), /could not be started/],
    [json(201, stage.created({ expires_at: 'soon' })), /could not be started/],
    [json(201, null), /could not be started/],
  ];
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-x' }`)));
  for (const [answer, words] of fails) {
    stage.shop.answer('/create-x', answer);
    await pay(page, '7');
    await page.getByRole('alert').filter({ hasText: words }).waitFor();
    assert.equal(await page.getByRole('textbox').inputValue(), '7');
    assert.ok(console.some(line => line.startsWith('[Milaan] creating the order failed')));
    console.length = 0;
  }
  stage.shop.answer('/create-x', json(201, stage.created()));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Pay exactly ₹499.37').first().waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a create repeated after a lost answer carries the same merchant_order_id', async () => {
  const { page, close } = await stage.browser.open();
  stage.apiCalls.length = 0;
  await page.goto(
    stage.shop.page(
      mount(`{ apiKey: '${stage.merchant.apiKey}', webhookUrl: 'https://shop.example.com/h' }`),
    ),
  );
  let lost = 0;
  await page.route('**/api/v1/orders', async route => {
    if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await pay(page);
  await page.getByText('The shop could not be reached.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('svg.qr').waitFor();
  const ids = stage.apiCalls
    .filter(call => call.method === 'POST')
    .map(call => call.body['merchant_order_id']);
  assert.equal(ids.length, 2);
  assert.equal(new Set(ids).size, 1);
  await close();
});

test('amounts are read as people write them, and nonsense is refused before the shop is asked', async () => {
  const { page, close } = await stage.browser.open();
  stage.shop.answer('/create-n', json(500, {}));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-n' }`)));
  for (const nonsense of ['', '0', '-5', '1e3', 'abc', '0.004', '1000000.01', '1.2.3', 'Infinity']) {
    await pay(page, nonsense);
    await page.getByText('Enter an amount from 0.01 to 10,00,000 rupees.').waitFor();
  }
  assert.equal(stage.asked('/create-n').length, 0);
  for (const [typed, amount] of [
    ['10,00,000', 1_000_000],
    ['₹ 49.5', 49.5],
    ['४९९.३७', 499.37],
    ['.5', 0.5],
  ] as const) {
    const before = stage.asked('/create-n').length;
    await pay(page, typed);
    await until('the shop is asked', () => stage.asked('/create-n').length > before);
    assert.deepEqual(JSON.parse(stage.asked('/create-n').at(-1)!.body), { amount });
    await page.getByText('could not be started').waitFor();
  }
  await close();
});

test('the page’s mistakes are shown on it and in the console, and never thrown into it', async () => {
  const { page, troubles, close } = await stage.browser.open();
  const console: string[] = [];
  page.on('console', message => console.push(message.text()));
  const script = `
    Milaan.mount('#nowhere', { createOrderUrl: '/create' });
    Milaan.mount('###', { createOrderUrl: '/create' });
    Milaan.mount(undefined, undefined);
    Milaan.mount('#pay');
    Milaan.mount('#pay', {});
    Milaan.mount('#pay', { get title() { throw new Error('hostile') } });
    window.after = true;`;
  await page.goto(stage.shop.page(script));
  assert.equal(await page.evaluate('after'), true);
  await page.getByText('The UPI payment box is not set up correctly.').first().waitFor();
  assert.ok(console.some(line => line.includes('no element of this page matches the selector #nowhere')));
  assert.ok(console.some(line => line.includes('no element of this page matches the selector ###')));
  assert.ok(console.some(line => line.includes('give createOrderUrl')));
  assert.deepEqual(troubles, []);
  await close();
});

test('an onSuccess that throws breaks nothing', async () => {
  const { page, troubles, close } = await stage.browser.open();
  stage.shop.answer('/create-p', json(200, stage.created({ status: 'paid' })));
  await page.goto(
    stage.shop.page(mount(`{ createOrderUrl: '/create-p', onSuccess() { throw new Error('mine') } }`)),
  );
  await pay(page);
  await page.getByText('The shop has received ₹499.37.').first().waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('without a QR the link is shown; a QR that is not an SVG becomes an image', async () => {
  const { page, close } = await stage.browser.open();
  stage.shop.answer('/create-q', json(201, stage.created({ qr_base64: null })));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-q' }`)));
  await pay(page);
  const link = page.getByRole('link', { name: 'Pay with a UPI app' });
  assert.equal(await link.getAttribute('href'), stage.created().upi_uri);
  const foreign = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><path d="M0 0h1"/></svg>').toString('base64')}`;
  stage.shop.answer('/create-q', json(201, stage.created({ qr_base64: foreign })));
  await page.reload();
  await pay(page);
  assert.equal(await page.locator('img.qr').getAttribute('src'), foreign);
  await close();
});

test('a link that is no UPI link is never offered', async () => {
  const { page, close } = await stage.browser.open(phone);
  stage.shop.answer('/create-j', json(201, stage.created({ upi_uri: 'javascript:alert(1)?tr=1' })));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-j' }`)));
  await pay(page);
  await page.getByText('Pay exactly').first().waitFor();
  assert.deepEqual(
    await page.getByRole('link').evaluateAll(links => links.map(link => link.getAttribute('href'))),
    [`${stage.site.origin}/pay/x`],
  );
  await close();
});

test('a hostile title and hostile answers are shown as text', async () => {
  const hostile = `<img src=x onerror=alert(1)><script>alert(2)</script>`;
  const { page, troubles, close } = await stage.browser.open();
  stage.shop.answer(
    '/create-h',
    json(201, stage.created({ order_id: hostile, upi_uri: `upi://pay?x="><script>alert(3)</script>` })),
  );
  await page.goto(
    stage.shop.page(
      mount(JSON.stringify({ title: hostile, createOrderUrl: '/create-h', statusUrl: '/status-h/' })),
    ),
  );
  assert.equal(await page.getByRole('heading', { level: 2 }).textContent(), hostile);
  await pay(page);
  await until(
    'the id is asked for, encoded',
    () => stage.asked(`/status-h/${encodeURIComponent(hostile)}`).length > 0,
  );
  assert.equal(await page.locator('img, script[src=""]').count(), 0);
  assert.deepEqual(troubles, []);
  await close();
});

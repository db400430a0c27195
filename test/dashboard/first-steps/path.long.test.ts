import assert from 'node:assert/strict';
import type { BrowserContextOptions } from 'playwright-core';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { createProofOrder } from '../../../src/dashboard/first-steps/create-proof-order.ts';
import { accessibilityProblems, desktop, openBrowser, phone } from '../../support/browser.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addTestOrder, setPaid } from '../../support/checkout-site.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';

const { test, use } = needs('Chromium');

const world = use(openTestWorld);
const site = use(() => openDashboard(world));
const browser = use(openBrowser);

const pictures = process.env['PICTURES'];
const steps = '/dashboard/first-steps';

/** The same moments of the path, for whoever looks at them in each language and size. */
const moments = {
  begin: async () => ({
    merchantId: await createMerchant(world.sql, world, { name: 'Chai Corner' }),
    path: steps,
  }),
  bank: async () => ({ ...(await moments.begin()), path: `${steps}?bank=hdfc` }),
  unread: async () => ({ ...(await moments.begin()), path: `${steps}?bank=icici` }),
  account: async () => ({ ...(await moments.begin()), path: `${steps}?bank=hdfc&mails=yes` }),
  ways: async () => ({ ...(await addTestMerchant(world, { name: 'Chai Corner' })), path: steps }),
  proof: async () => {
    const shop = await addTestMerchant(world, { name: 'Chai Corner' });
    await connectedMailbox(world, shop.merchantId, 'Chai Corner');
    await world.sql.begin(tx => createProofOrder(tx, world, shop.merchantId));
    return { ...shop, path: steps };
  },
  home: async () => ({ ...(await addTestMerchant(world, { name: 'Chai Corner' })), path: '/dashboard' }),
  proven: async () => {
    const shop = await moments.proof();
    const [order] = await world.sql<{ order_id: string }[]>`
      select order_id from orders where merchant_id = ${shop.merchantId}`;
    await setPaid(world, { orderId: order!.order_id });
    return shop;
  },
};

const expected: Record<keyof typeof moments, string[]> = {
  begin: ['bank'],
  bank: ['mails'],
  unread: ['bank'],
  account: ['account'],
  ways: ['ways'],
  proof: ['proof'],
  home: ['ways'],
  proven: ['proof', 'payment'],
};

const looks: [name: string, options: BrowserContextOptions][] = [
  ['360, English', { ...phone, viewport: { width: 360, height: 640 } }],
  ['desktop, Hindi', { ...desktop, locale: 'hi-IN' }],
];

for (const [look, options] of looks) {
  test(`${look}: one step of the path is open at a time, it fits the screen, and axe finds nothing`, async () => {
    for (const [name, make] of Object.entries(moments)) {
      const { merchantId, path } = await make();
      const { token } = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
      const { page, troubles, close } = await browser.open(options);
      await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
      await page.goto(site.origin + path);
      const open = await page
        .locator('.path details[open]')
        .evaluateAll(all => all.map(({ id }) => id.replace('-step', '')));
      assert.deepEqual(open, expected[name as keyof typeof moments], name);
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.equal(wider, 0, name);
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${look}.png`, fullPage: true });
      assert.deepEqual(await accessibilityProblems(page), [], name);
      assert.deepEqual(troubles, []);
      await close();
    }
  });
}

test('before the first payment Home shows the steps, and no zeros or alarms about them', async () => {
  const { merchantId } = await moments.begin();
  const owner = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  for (const path of ['/dashboard/payments', '/dashboard/counter', '/dashboard/shop', '/dashboard/reports'])
    assert.equal((await owner.get(path)).statusCode, 200, path);
  const auditor = await callAs(site, world, await addTestUser(world, merchantId, 'auditor'));
  for (const { body } of [await owner.get('/dashboard'), await auditor.get('/dashboard')]) {
    assert.match(body, /0 of 6 steps done/);
    assert.match(body, /<details class="step now" id="bank-step" open>/);
    assert.doesNotMatch(body, /₹0|class="plot"|id="to-do"|Add your UPI ID/);
  }
});

test('a business that has or had a paid order has no steps on Home', async () => {
  const shop = await addTestMerchant(world);
  const owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  assert.match((await owner.get('/dashboard')).body, /class="path"/);
  const order = await addTestOrder(world, shop, { payable: 499_37 });
  await setPaid(world, order);
  // Without an account, too: that is an alarm of a shop that runs.
  const { body } = await owner.get('/dashboard');
  assert.match(body, /class="plot"/);
  assert.doesNotMatch(body, /class="path"/);
  assert.match((await owner.get(steps)).body, /Proven: payments are confirmed/);

  const old = await addTestMerchant(world);
  await world.sql`
    insert into collections (merchant_id, month, collected_paise) values (${old.merchantId}, '2026-01-01', 49900)`;
  const theirs = await callAs(site, world, await addTestUser(world, old.merchantId, 'owner'));
  assert.doesNotMatch(
    (await theirs.get('/dashboard')).body,
    /class="path"/,
    'its orders left the history window',
  );
});

test('waiting money is on Home also before the proof', async () => {
  const shop = await addTestMerchant(world);
  await world.sql`
    insert into failing_destinations (merchant_id, destination, failing_since, failures, last_failure)
    values (${shop.merchantId}, 'shop.example', ${world.clock.now()}, 4, ${world.sql.json({ code: 'answered', facts: { status: 500 } })})`;
  const owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  assert.match((await owner.get('/dashboard')).body, /Updates do not reach your website/);
});

test('the bank chosen on the path is selected in the form of the UPI ID, and no address can add other values', async () => {
  const { merchantId } = await moments.begin();
  const owner = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const link = /href="(\/dashboard\/upi-accounts\/add\?[^"]+)"/.exec(
    (await owner.get(`${steps}?bank=hdfc&mails=yes`)).body,
  );
  const { body } = await owner.get(`${link![1]!.replaceAll('&amp;', '&')}&vpa=thief%40okaxis`);
  assert.match(body, /<option value="hdfc" selected>/);
  assert.match(body, /name="next" value="\/dashboard\/first-steps"/);
  assert.doesNotMatch(body, /thief/);
});

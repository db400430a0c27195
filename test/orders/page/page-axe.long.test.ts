import assert from 'node:assert/strict';
import { minute } from '../../../src/base/clock.ts';
import {
  accessibilityProblems,
  desktop,
  openBrowser,
  phone,
  type TestBrowser,
} from '../../support/browser.ts';
import { addTestOrder, openSite, type Site, setPaid } from '../../support/checkout-site.ts';
import { needs } from '../../support/needs.ts';
import {
  addTestMerchant,
  openTestWorld,
  type TestMerchant,
  type TestWorld,
} from '../../support/test-world.ts';

const { after, before, test } = needs('Chromium');

let world: TestWorld;
let site: Site;
let browser: TestBrowser;
let merchant: TestMerchant;

before(async () => {
  world = await openTestWorld();
  site = await openSite(world);
  browser = await openBrowser();
  merchant = await addTestMerchant(world, { account: { kind: 'merchant', merchantCode: '5812' } });
});
after(async () => {
  await browser.stop();
  await site.stop();
  await world.stop();
});

const newOrder = (change: Parameters<typeof addTestOrder>[2] = {}) => addTestOrder(world, merchant, change);

test('axe finds nothing wrong with any state, light and dark, phone and desktop', async () => {
  const paid = await newOrder();
  await setPaid(world, paid);
  await world.sql`
    update merchants set contact_phone = '+919812345678', contact_whatsapp = '+919812345678',
      contact_email = 'orders@chai.example' where merchant_id = ${merchant.merchantId}`;
  const received = async (status: string) => {
    const { orderId, path } = await newOrder();
    await world.sql`update orders set status = ${status}, received_paise = 49900 where order_id = ${orderId}`;
    return path;
  };
  const personal = await addTestMerchant(world);
  const states: [string, string][] = [
    ['merchant', (await newOrder()).path],
    ['personal', (await addTestOrder(world, personal)).path],
    ['almost expired', (await newOrder({ age: 4.5 * minute })).path],
    ['Hindi', `${(await newOrder()).path}?lang=hi&app=missing`],
    ['expired', (await newOrder({ age: 6 * minute })).path],
    ['late', `${(await newOrder({ age: 6 * minute })).path}?stay=1`],
    ['claim', `${(await newOrder({ age: 2 * minute })).path}?claim=open`],
    ['claim sent', `${(await newOrder({ age: 2 * minute })).path}?claim=sent`],
    ['review', await received('manual_review')],
    ['failed', await received('failed')],
    ['over', (await newOrder({ age: 20 * minute })).path],
    ['paid', paid.path],
    ['unknown', '/pay/nope'],
  ];
  for (const size of [phone, desktop]) {
    const { page, close } = await browser.open({ ...size, reducedMotion: 'reduce' });
    for (const [name, path] of states) {
      await page.goto(site.origin + path);
      assert.deepEqual(await accessibilityProblems(page), [], name);
    }
    await close();
  }
});

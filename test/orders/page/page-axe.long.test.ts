import assert from 'node:assert/strict';
import { minute } from '../../../src/base/clock.ts';
import { accessibilityProblems, desktop, phone } from '../../support/browser.ts';
import { addTestOrder, setPaid } from '../../support/checkout-site.ts';
import { browser, merchant, newOrder, site, useHostedPage, world } from '../../support/hosted-page-stage.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const { test } = needs('Chromium');

useHostedPage();

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
    ['notice', `${paid.path}/privacy`],
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

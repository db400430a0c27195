import assert from 'node:assert/strict';
import type { BrowserContextOptions } from 'playwright-core';
import { phone, turnTab } from '../../support/browser.ts';
import { setPaid } from '../../support/checkout-site.ts';
import { until } from '../../support/until.ts';
import { mount, pay, type WidgetStage } from '../../support/widget-stage.ts';

/** The first tier walks it on a phone, the second on a desktop. */
export async function paysInWidget(stage: WidgetStage, size: BrowserContextOptions): Promise<void> {
  const { page, troubles, close } = await stage.browser.open(size);
  const before = stage.asked('/create').length;
  await page.goto(
    stage.shop.page(
      `window.paid = []; ${mount(`{ createOrderUrl: '/create', onSuccess: o => paid.push(o) }`)}`,
    ),
  );
  await page.getByRole('heading', { name: 'Pay with UPI' }).waitFor();
  await pay(page, '1,200.50');
  await page
    .getByText(/^Pay exactly ₹1,20\d\.\d\d, paise included$/)
    .first()
    .waitFor();
  assert.equal(stage.asked('/create').length, before + 1);
  assert.deepEqual(JSON.parse(stage.asked('/create').at(-1)!.body), { amount: 1200.5 });
  assert.equal(stage.asked('/create').at(-1)!.method, 'POST');
  const qr = await page.locator('svg.qr').boundingBox();
  assert.ok(qr!.width >= 240);
  assert.equal(await page.getByRole('link', { name: 'Pay with a UPI app' }).count(), size === phone ? 1 : 0);
  await until('the public status is read', () => stage.site.polls.length > 0);
  const orderId = await onlyPending(stage);
  await setPaid(stage.world, { orderId });
  await page
    .getByText(/^The shop has received ₹1,20\d\.\d\d\. Thank you\.$/)
    .first()
    .waitFor();
  const reported = (await page.evaluate('paid')) as {
    order_id: string;
    status: string;
    payment_url: string;
  }[];
  assert.deepEqual(
    reported.map(order => [order.order_id, order.status]),
    [[orderId, 'paid']],
  );
  assert.equal(await page.locator('svg.qr').count(), 0);
  const polls = stage.site.polls.length;
  await turnTab(page, 'visible');
  assert.equal(stage.site.polls.length, polls, 'nothing is asked after the payment');
  assert.deepEqual(troubles, []);
  await close();
}

/** The one order of the database that waits for its payment. */
async function onlyPending({ world }: WidgetStage): Promise<string> {
  const [row] = await world.sql<{ order_id: string }[]>`
    select order_id from orders where status = 'pending' order by created_at desc, order_id limit 1`;
  return row!.order_id;
}

import assert from 'node:assert/strict';
import { later, minute, second } from '../../../src/base/clock.ts';
import { accessibilityProblems } from '../../support/browser.ts';
import { needs } from '../../support/needs.ts';
import { answersRead, installClock } from '../../support/page-clock.ts';
import { until } from '../../support/until.ts';
import { json, mount, openWidgetStage, pay } from '../../support/widget-stage.ts';

const { test, use } = needs('Chromium');

const stage = use(openWidgetStage);

test('the received sum is shown, and polled for until ten minutes after the expiry; then the text stays', async () => {
  const { page, close } = await stage.browser.open();
  await installClock(page);
  const order = stage.created();
  const review = { ...order, status: 'manual_review', received_amount: 1_499 };
  const at = (age: number) => ({ date: later(new Date(order.expires_at), age).toUTCString() });
  stage.shop.answer('/create-w', json(201, order));
  stage.shop.answer('/status-w/ML-0000000042', json(200, review, at(-1 * minute)));
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-w', statusUrl: '/status-w/' }`)));
  await pay(page);
  await page.getByText('Pay exactly').first().waitFor();
  await page.clock.runFor(3 * second);
  const word = page
    .getByText('The shop has received ₹1,499.00 for this order of ₹499.37 and is looking at it.')
    .first();
  await word.waitFor();
  assert.equal(await page.locator('.qr').count(), 0);
  assert.deepEqual(await accessibilityProblems(page), []);
  const asked = stage.asked('/status-w/').length;
  await page.clock.runFor(3 * second);
  await until('it still asks', () => stage.asked('/status-w/').length > asked);
  await answersRead(page);
  let late = 0;
  stage.shop.answer('/status-w/ML-0000000042', () => {
    late++;
    return json(200, review, at(10 * minute + second));
  });
  await until('it asks once more, and then no more', async () => {
    const before = late;
    await page.clock.runFor(20 * second);
    await page.waitForTimeout(200);
    await answersRead(page);
    return late > 0 && late === before;
  });
  assert.ok(await word.isVisible());
  const further = page.getByRole('link', { name: 'See what the shop decides' });
  assert.equal(await further.getAttribute('href'), order['payment_url']);
  await close();
});

test('an accepted payment shows the received sum, and a declined one the contact for it', async () => {
  for (const [status, words] of [
    ['paid', 'The shop has received ₹499.00. Thank you.'],
    ['failed', 'The shop has received ₹499.00 and did not take it for this order.'],
  ] as const) {
    const { page, close } = await stage.browser.open();
    stage.shop.answer('/create-d', json(201, stage.created({ status, received_amount: 499 })));
    await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-d' }`)));
    await pay(page);
    await page.getByText(words).first().waitFor();
    await close();
  }
});

test('from the second half minute on, and after the expiry, a customer who has paid is led to the form', async () => {
  const { page, close } = await stage.browser.open();
  await installClock(page);
  const order = stage.created();
  const hears = (status: string, age: number) => {
    const date = later(new Date(order.expires_at), age - 5 * minute).toUTCString();
    stage.shop.answer('/status-i/ML-0000000042', json(200, { status }, { date }));
  };
  stage.shop.answer('/create-i', json(201, order));
  hears('pending', 15 * second);
  await page.goto(stage.shop.page(mount(`{ createOrderUrl: '/create-i', statusUrl: '/status-i/' }`)));
  await pay(page);
  const link = page.getByRole('link', { name: 'I have paid' });
  await page.getByText('Pay exactly').first().waitFor();
  await page.clock.runFor(3 * second);
  assert.ok(await link.isHidden());
  hears('pending', 32 * second);
  await page.clock.runFor(5 * second);
  await link.waitFor();
  hears('expired', 5 * minute);
  await page.clock.runFor(3 * second);
  await page.getByText('This payment has expired').first().waitFor();
  assert.equal(await link.getAttribute('href'), `${stage.site.origin}/pay/x?claim=open#claim`);
  await close();
});

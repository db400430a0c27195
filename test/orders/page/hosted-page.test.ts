import assert from 'node:assert/strict';
import { minute, second } from '../../../src/base/clock.ts';
import { assertUnhurried, desktop, phone, turnTab, untilCopied } from '../../support/browser.ts';
import { setPaid, setStatus } from '../../support/checkout-site.ts';
import {
  browser,
  newOrder,
  polls,
  shop,
  site,
  useHostedPage,
  world,
} from '../../support/hosted-page-stage.ts';
import { needs } from '../../support/needs.ts';
import { answersRead, installClock } from '../../support/page-clock.ts';
import { until } from '../../support/until.ts';
import { hostileNamesDoNothingOn, paysOn } from './hosted-page-journeys.ts';

const { test } = needs('Chromium');

useHostedPage();

test('on a phone the customer sees what to pay, pays, sees that it arrived, and returns to the shop', () =>
  paysOn(phone));

test('the page asks every two seconds, and not more often', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open();
  await page.goto(site.origin + order.path);
  await until('four polls', () => polls(order).length >= 4);
  await assertUnhurried(page, '/status');
  await close();
});

test('an expired order loses its QR, offers the way back at once, and returns the customer without a touch', async () => {
  const order = await newOrder();
  const { page, troubles, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  world.clock.advance(5 * minute);
  await page.clock.runFor(3 * second);
  await page.getByRole('heading', { name: 'This payment link has expired' }).waitFor();
  assert.equal(await page.locator('.qr').count(), 0);
  const back = page.locator('#expired').getByRole('link', { name: 'Back to the shop' });
  assert.match(
    (await back.getAttribute('href'))!,
    new RegExp(`^${shop.origin}/failed\\?order_id=${order.orderId}&`),
  );
  await page.clock.runFor(16 * second);
  await page.waitForURL(`${shop.origin}/failed?**status=expired`);
  assert.deepEqual(troubles, []);
  await close();
});

test('after an app was opened from the page, the page waits for the late window and says so, also after a reload', async () => {
  const order = await newOrder();
  const { page, troubles, close } = await browser.open(phone);
  await installClock(page);
  await page.goto(site.origin + order.path);
  // The browser of this test has no UPI app, so the link itself leads nowhere.
  await page.evaluate(
    "document.querySelector('.apps').addEventListener('click', event => event.preventDefault())",
  );
  await page.getByRole('link', { name: 'Choose your UPI app' }).click();
  world.clock.advance(5 * minute);
  await page.clock.runFor(3 * second);
  const late = page.locator('#late');
  await late.getByText('If nothing arrives by then, we take you back to the shop.').waitFor();
  await late.getByText('₹499.37').waitFor();
  await page.reload();
  await late.getByText('If nothing arrives by then').waitFor();
  await answersRead(page);
  await page.clock.runFor(60 * second);
  assert.ok(await late.isVisible(), 'a customer who opened an app is not sent away after 15 s');
  world.clock.advance(10 * minute);
  await answersRead(page);
  await page.clock.fastForward(10 * minute);
  await page.clock.runFor(3 * second);
  await page.locator('#over').getByText('We take you back to the shop').waitFor();
  assert.ok(await page.getByLabel('UPI reference number (UTR)').isVisible());
  await page.clock.runFor(16 * second);
  await page.waitForURL(`${shop.origin}/failed?**status=expired`);
  assert.deepEqual(troubles, []);
  await close();
});

test('an expired page keeps the shop, the sum and the field for the reference, and an unknown token shows none of them', async () => {
  const order = await newOrder({ age: 6 * minute });
  const { page, close } = await browser.open(phone);
  await page.goto(site.origin + order.path);
  await page.locator('#expired .whose').getByText('Chai Point').waitFor();
  await page.locator('#expired .whose').getByText('₹499.37').waitFor();
  assert.ok(await page.getByLabel('UPI reference number (UTR)').isVisible());
  await page.goto(`${site.origin}/pay/${order.token.slice(0, -4)}aaaa`);
  await page.getByRole('heading', { name: 'This payment link does not exist' }).waitFor();
  assert.equal(await page.getByText('Chai Point').count(), 0);
  assert.equal(await page.locator('textarea').count(), 0);
  await close();
});

test('a customer who stays on an expired page is notified of a late payment', async () => {
  const order = await newOrder({ age: 6 * minute });
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  await page.getByRole('link', { name: 'I have paid, keep waiting' }).click();
  await page.getByRole('heading', { name: 'Still looking for your payment' }).waitFor();
  await page.clock.runFor(20 * second);
  assert.equal(page.url(), site.origin + order.path);
  await setPaid(world, order);
  await page.clock.runFor(3 * second);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  await page.clock.runFor(5 * second);
  await page.waitForURL(`${shop.origin}/done?**status=paid`);
  await close();
});

test('any touch or key keeps the customer on a page that would leave, and the next news may lead on', async () => {
  const order = await newOrder({ age: 6 * minute });
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  const leaving = page.locator('#expired [data-leaving]');
  await leaving.getByText('Touch the page to stay.').waitFor();
  await page.touchscreen.tap(180, 20);
  assert.ok(await leaving.isHidden());
  await page.clock.runFor(20 * second);
  assert.equal(page.url(), site.origin + order.path);
  await setPaid(world, order);
  await page.clock.runFor(3 * second);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  await page.keyboard.press('Shift');
  await page.clock.runFor(20 * second);
  await page.getByRole('button', { name: 'Save or print' }).waitFor();
  assert.equal(page.url(), site.origin + order.path);
  await close();
});

test('ten minutes after the expiry the page stops asking and names the contact', async () => {
  const order = await newOrder({ age: 15 * minute - 3 * second });
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(`${site.origin}${order.path}?stay=1`);
  await page.clock.runFor(5 * second);
  await page.getByRole('heading', { name: 'No payment of this exact amount was found' }).waitFor();
  const asked = polls(order).length;
  assert.ok(asked >= 1);
  await page.clock.runFor(20 * second);
  assert.equal(polls(order).length, asked);
  await close();
});

test('a lost connection is shown, and the page asks again as soon as it is back', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  await page.goto(site.origin + order.path);
  const notice = page.getByText('No connection right now.');
  await page.context().setOffline(true);
  await notice.waitFor();
  assert.ok(await page.locator('.qr').isVisible());
  await setPaid(world, order);
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  assert.ok(await notice.isHidden());
  await close();
});

for (const { outcome, age, heading } of [
  { outcome: 'paid', age: 0, heading: 'Payment received' },
  { outcome: 'failed', age: 0, heading: 'The payment did not go through' },
  { outcome: 'over', age: 15 * minute - 3 * second, heading: 'No payment of this exact amount was found' },
])
  test(`a page that stays open after ${outcome} asks no more, and shows no lost connection`, async () => {
    const order = await newOrder({ age });
    const { page, close } = await browser.open(phone);
    await installClock(page);
    await page.goto(`${site.origin}${order.path}?stay=1`);
    if (outcome === 'paid') await setPaid(world, order);
    if (outcome === 'failed') await setStatus(world, order, outcome);
    await page.clock.runFor(5 * second);
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.keyboard.press('Shift');
    await page.clock.runFor(10 * second);
    assert.ok(await page.locator(`#${outcome}`).isVisible());
    assert.ok(await page.locator('#offline').isHidden());
    await close();
  });

test('an expired page that waits for a late payment still shows a lost connection', async () => {
  const order = await newOrder({ age: 6 * minute });
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(`${site.origin}${order.path}?stay=1`);
  await page.getByRole('heading', { name: 'Still looking for your payment' }).waitFor();
  await page.route('**/status', route => route.abort());
  await page.clock.runFor(10 * second);
  await page.getByText('No connection right now.').waitFor();
  await close();
});

test('without a connection the QR is removed in time too', async () => {
  const order = await newOrder({ age: 5 * minute - 4 * second });
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  await page.context().setOffline(true);
  await page.clock.runFor(10 * second);
  await page.getByRole('heading', { name: 'This payment link has expired' }).waitFor();
  assert.equal(await page.locator('.qr').count(), 0);
  await close();
});

test('a tab that returns from the UPI app asks at once, before any timer', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  // Without news by the stream, which would tell it of the payment before it comes back.
  await page.route('**/events', route => route.abort());
  await installClock(page);
  await page.goto(site.origin + order.path);
  // Far enough ahead that it is not the past by the time the browser hears of it; what that sets off is let finish.
  await page.clock.pauseAt(Number(await page.evaluate('Date.now() + 20_000')));
  await answersRead(page);
  const looking = page.locator('#looking');
  assert.ok(await looking.isHidden());
  await turnTab(page, 'hidden');
  await turnTab(page, 'visible');
  await looking.waitFor();
  await answersRead(page);
  const before = polls(order).length;
  await setPaid(world, order);
  await turnTab(page, 'hidden');
  assert.equal(polls(order).length, before);
  await turnTab(page, 'visible');
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  await close();
});

test('a payment seen by a hidden tab is shown before the customer is sent on', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open(phone);
  await page.clock.install();
  await page.goto(site.origin + order.path);
  await turnTab(page, 'hidden');
  await setPaid(world, order);
  await page.clock.runFor(3 * second);
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  await page.clock.runFor(10 * second);
  assert.equal(page.url(), site.origin + order.path);
  await turnTab(page, 'visible');
  await page.clock.runFor(5 * second);
  await page.waitForURL(`${shop.origin}/done?**`);
  await close();
});

test('hostile names do nothing, and the policy reports nothing', () => hostileNamesDoNothingOn(phone));

test('copy buttons copy the plain UPI ID and the plain amount', async () => {
  const order = await newOrder({ payable: 1_234_37 });
  const { page, close } = await browser.open({
    ...desktop,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.goto(site.origin + order.path);
  await untilCopied(
    page,
    () => page.getByRole('button', { name: 'Copy the amount' }).press('Enter'),
    '1234.37',
  );
  await page.locator('#say', { hasText: 'Copied' }).waitFor({ state: 'attached' });
  await untilCopied(page, () => page.getByRole('button', { name: 'Copy the UPI ID' }).click(), 'chai@okaxis');
  await close();
});

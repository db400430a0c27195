import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { minute, second } from '../../../src/base/clock.ts';
import { appLinks } from '../../../src/orders/page/app-links.ts';
import { qrSvg } from '../../../src/orders/upi-link.ts';
import {
  accessibilityProblems,
  desktop,
  iphone,
  openBrowser,
  phone,
  turnTab,
  untilCopied,
} from '../../support/browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { needs } from '../../support/needs.ts';
import { answersRead, installClock } from '../../support/page-clock.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';
import { json, mount, openWidgetStage } from '../../support/widget-stage.ts';

const { test, use } = needs('Chromium');

const stage = use(openWidgetStage);

const personal = 'upi://pay?pa=chai@okaxis&pn=Asha%20Rao&am=499.37&cu=INR&tn=ML-0000000042';
const merchant = `${personal}&mc=5812&tr=ML0000000042`;
const started = `{ createOrderUrl: '/create-p', statusUrl: '/status-p/', amount: 499, autoStart: true }`;

function offer(link: string, change: Record<string, unknown> = {}): void {
  const qr = `data:image/svg+xml;base64,${Buffer.from(qrSvg(link)).toString('base64')}`;
  stage.shop.answer('/create-p', json(201, stage.created({ upi_uri: link, qr_base64: qr, ...change })));
  stage.shop.answer('/status-p/ML-0000000042', json(200, { status: 'pending' }));
}

/** Names of what can be pressed and of the QR, from top to bottom. */
async function topToBottom(page: Page): Promise<string[]> {
  await page.locator('svg.qr').waitFor();
  const parts = await page.locator('#pay').locator('a:visible, button:visible, svg.qr').all();
  return await Promise.all(
    parts.map(async part => (await part.getAttribute('aria-label')) ?? (await part.textContent()) ?? ''),
  );
}

const copies = ['Copy: UPI ID', 'Copy: Amount'];
const qr = 'QR code to pay ₹499.37 by UPI';

test('on a phone the app and what to copy come before the QR; elsewhere the QR comes first', async () => {
  for (const [size, link, expected] of [
    [phone, merchant, ['Pay with a UPI app', ...copies, qr]],
    [phone, personal, [...copies, qr]],
    [desktop, merchant, [qr, ...copies]],
    [iphone, merchant, ['PhonePe', 'Google Pay', 'Paytm', 'BHIM', 'CRED', ...copies, qr]],
  ] as const) {
    const { page, troubles, close } = await stage.browser.open(size);
    offer(link);
    const head = `<meta name="color-scheme" content="light dark">`;
    await page.goto(stage.shop.page(mount(started), { head }));
    assert.deepEqual(await topToBottom(page), expected);
    assert.equal(await page.getByText('Then come back here.').count(), link === personal ? 1 : 0);
    if (link === personal) assert.deepEqual(await accessibilityProblems(page), []);
    if (size === iphone) {
      const links = await page.getByRole('link').evaluateAll(all => all.map(one => one.getAttribute('href')));
      assert.deepEqual(
        links,
        appLinks(merchant, 'ios', '').map(({ href }) => href),
      );
    }
    assert.deepEqual(troubles, []);
    await close();
  }
});

test('UPI ID and amount are copied as plain text; without a clipboard the line says how', async () => {
  const { page, close } = await stage.browser.open({
    ...desktop,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  offer(personal, { payable_amount: 1_234.5 });
  await page.goto(stage.shop.page(mount(started)));
  await untilCopied(page, () => page.getByRole('button', { name: 'Copy: Amount' }).press('Enter'), '1234.50');
  await page.getByText('Copied').first().waitFor();
  await untilCopied(page, () => page.getByRole('button', { name: 'Copy: UPI ID' }).click(), 'chai@okaxis');
  await page.getByText('Name your app will show: Asha Rao').waitFor();
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`);
  await page.getByRole('button', { name: 'Copy: UPI ID' }).click();
  await page.getByText('Press and hold the text to copy it.').first().waitFor();
  await close();
});

test('a customer who returns from the app sees at once that the payment is searched for, for a minute', async () => {
  const { page, close } = await stage.browser.open(phone);
  await installClock(page);
  offer(merchant);
  await page.goto(stage.shop.page(mount(started)));
  await page.getByText('Waiting for your payment').waitFor();
  await turnTab(page, 'hidden');
  const asked = stage.asked('/status-p/').length;
  await turnTab(page, 'visible');
  await page.getByText('Looking for your payment.').first().waitFor();
  await until('it asks at once', () => stage.asked('/status-p/').length > asked);
  await answersRead(page);
  await page.clock.runFor(5 * second);
  assert.ok(await page.getByText('Looking for your payment.').first().isVisible());
  await page.clock.runFor(1 * minute);
  await page.getByText('Waiting for your payment').waitFor();
  await close();
});

test('if the shop’s mailbox is unreachable, the customer reads that the confirmation may be slow', async () => {
  const { page, close } = await stage.browser.open(phone);
  const blind = await addTestMerchant(stage.world);
  const { path } = await addTestOrder(stage.world, blind);
  stage.site.blind.of = blind.merchantId;
  const read = async (what: string) => {
    const answer = await fetch(`${stage.site.origin}${path}/${what}`);
    return (await answer.json()) as { confirmation_slow?: boolean };
  };
  assert.equal('confirmation_slow' in (await read('status')), false);
  assert.equal((await read('payable')).confirmation_slow, true);
  offer(merchant, { payment_url: stage.site.origin + path });
  await page.goto(stage.shop.page(mount(started)));
  await page.getByText('Confirmation may be slow right now; your payment is safe.').waitFor();
  await turnTab(page, 'visible');
  await page.getByText('It takes longer than usual right now.').first().waitFor();
  stage.site.blind.of = null;
  await close();
});

test('a keyboard reaches every control, and a paid order shows sum, purpose and next step', async () => {
  const { page, close } = await stage.browser.open(phone);
  offer(merchant);
  await page.goto(stage.shop.page(mount(started)));
  const expected = (await topToBottom(page)).filter(name => name !== qr);
  const reached: string[] = [];
  for (const _ of expected) {
    await page.keyboard.press('Tab');
    reached.push(
      await page.evaluate(
        `(part => part.getAttribute('aria-label') ?? part.textContent)(document.querySelector('#pay').firstChild.shadowRoot.activeElement)`,
      ),
    );
  }
  assert.deepEqual(reached, expected);
  stage.shop.answer('/status-p/ML-0000000042', json(200, { status: 'paid' }));
  await page.getByRole('heading', { name: 'Payment received' }).waitFor();
  for (const words of [
    'The shop has received ₹499.37.',
    'There is nothing more to pay.',
    'Order ML-0000000042',
  ])
    await page.getByText(words).first().waitFor();
  await close();
});

test('in a column of 280 px the widget looks the same next to a shop’s rules for all elements', async () => {
  const { page, close } = await stage.browser.open(phone);
  offer(personal, { payable_amount: 1_000_002.99 });
  await page.goto(stage.shop.page(mount(started), { body: '<div id="pay"></div>' }));
  await page.locator('svg.qr').waitFor();
  const box = () =>
    page.evaluate(`(box => [box.scrollWidth <= box.clientWidth, getComputedStyle(box).fontSize, box.offsetHeight,
      getComputedStyle(box.querySelector('.amount')).letterSpacing, getComputedStyle(box).visibility])(document.querySelector('#pay').firstChild.shadowRoot.querySelector('.box'))`);
  const dress = (rules: string) =>
    page.evaluate(
      `{ const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(rules)}); document.adoptedStyleSheets = [sheet]; }`,
    );
  await dress('#pay { width: 280px }');
  const plain = (await box()) as unknown[];
  assert.equal(plain[0], true, 'nothing sticks out');
  await dress(`html { font-size: 62.5% } #pay { width: 280px; letter-spacing: 9px; text-transform: uppercase }
    div { font: 30px serif !important; letter-spacing: 9px !important; visibility: hidden !important; display: inline !important;
        float: right !important; padding: 40px !important; color: #fff !important }
    #pay { display: block !important; padding: 0 !important; float: none !important }`);
  assert.deepEqual(await box(), plain);
  await close();
});

test('the QR stays inside a box of 200 px', async () => {
  const { page, close } = await stage.browser.open(desktop);
  offer(personal);
  await page.goto(stage.shop.page(mount(started), { body: '<div id="pay"></div>' }));
  await page.evaluate(`document.querySelector('#pay').style.width = '200px'`);
  const qr = (await page.locator('svg.qr').boundingBox())!;
  const box = (await page.locator('#pay').boundingBox())!;
  assert.ok(qr.x >= box.x && qr.x + qr.width <= box.x + box.width, `${qr.width} px in ${box.width} px`);
  assert.ok(qr.width >= 150, 'cameras still read it');
  await close();
});

test('every amount is one line inside its box in the widest font, also in a column of 280 px', async () => {
  const wide = await openBrowser({ fonts: 'wide' });
  for (const payable_amount of [1_000_002.99, 99_999.99, 9_999.99]) {
    const { page, close } = await wide.open(phone);
    offer(personal, { payable_amount });
    await page.goto(stage.shop.page(mount(started), { body: '<div id="pay"></div>' }));
    await page.locator('svg.qr').waitFor();
    await page.evaluate(`document.querySelector('#pay').style.width = '280px'`);
    const [needs, has, height] = (await page.evaluate(`(shown => {
      const range = document.createRange();
      range.selectNodeContents(shown);
      return [range.getBoundingClientRect().width, shown.clientWidth, shown.clientHeight];
    })(document.querySelector('#pay').firstChild.shadowRoot.querySelector('.amount'))`)) as number[];
    assert.ok(needs! <= has! && height! < 60, `${payable_amount}: ${needs} of ${has} px, ${height} high`);
    await close();
  }
  await wide.stop();
});

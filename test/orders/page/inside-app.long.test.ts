import assert from 'node:assert/strict';
import { accessibilityProblems, iphone, phone, untilCopied } from '../../support/browser.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { browser, newOrder, shop, site, useHostedPage, world } from '../../support/hosted-page-stage.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const { test } = needs('Chromium');

useHostedPage();

const inside = (device: typeof phone, app: string) => ({
  ...device,
  userAgent: `${device.userAgent} ${app}`,
});
const instagram = 'Instagram 350.1.0.46.93 Android (33/13; 450dpi; 1080x2194; samsung; SM-A135F)';
const facebook = '[FB_IAB/FB4A;FBAV/480.0.0.54.88;]';
const onIphone = '[FBAN/FBIOS;FBAV/480.0.0.30.109;FBBV/1]';

test('inside Instagram or Facebook the page offers the phone’s own browser and its address to copy', async () => {
  const order = await newOrder();
  const url = `${site.origin}${order.path}?lang=en`;
  for (const app of [instagram, facebook])
    for (const width of [360, 320]) {
      const { page, troubles, close } = await browser.open({
        ...inside(phone, app),
        viewport: { width, height: 640 },
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await page.goto(site.origin + order.path);
      const open = page.getByRole('link', { name: 'Open in your browser' });
      const [, host, path, fallback] =
        /^intent:\/\/([^/]+)(\/\S+?)#Intent;scheme=http;action=android\.intent\.action\.VIEW;category=android\.intent\.category\.BROWSABLE;S\.browser_fallback_url=(\S+);end$/.exec(
          (await open.getAttribute('href')) ?? '',
        ) ?? [];
      assert.equal(`http://${host}${path}`, url);
      assert.equal(decodeURIComponent(fallback ?? ''), url);
      const box = (await open.boundingBox())!;
      assert.ok(box.height >= 44 && box.y + box.height <= 640, JSON.stringify(box));
      await untilCopied(page, () => page.getByRole('button', { name: 'Copy the address' }).click(), url);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
      assert.deepEqual(await accessibilityProblems(page), []);
      assert.deepEqual(troubles, []);
      await close();
    }
});

test('on an iPhone the page explains how, in Hindi too; without script it shows the address', async () => {
  const order = await newOrder();
  const { page, close } = await browser.open({ ...inside(iphone, onIphone), javaScriptEnabled: false });
  await page.goto(`${site.origin}${order.path}?lang=hi`);
  await page.getByText('UPI ऐप शायद न खुले').waitFor();
  assert.equal(await page.locator('a[href^="intent:"]').count(), 0);
  await page.getByText(`${site.origin}${order.path}?lang=hi`, { exact: true }).waitFor();
  await close();
});

test('in a browser, on a desktop, and if no app is opened from the page, it offers no other browser', async () => {
  const order = await newOrder();
  const personal = await addTestOrder(world, await addTestMerchant(world), { shop: shop.origin });
  for (const [device, path] of [
    [phone, order.path],
    [iphone, order.path],
    [
      { viewport: { width: 1280, height: 800 }, userAgent: `Mozilla/5.0 (Windows NT 10.0) ${facebook}` },
      order.path,
    ],
    [inside(phone, instagram), personal.path],
  ] as const) {
    const { page, close } = await browser.open(device);
    await page.goto(site.origin + path);
    await page.locator('#pending').waitFor();
    assert.equal(await page.locator('.way-out').count(), 0);
    await close();
  }
});

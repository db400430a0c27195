import assert from 'node:assert/strict';
import { upiAccountLink } from '../../../src/orders/upi-link.ts';
import { accessibilityProblems } from '../../support/browser.ts';
import { shop, site, useCounter, visitAs, world } from '../../support/counter-stage.ts';
import { needs } from '../../support/needs.ts';

const { test } = needs('Chromium');

useCounter();

const widths = { a4: '594.9', a5: '420', stickers: '594.9', tent: '594.9' };

test('both posters print on one sheet of each size, in English and Hindi, and their screens say which to use', async () => {
  const page = await visitAs('owner');
  await page.goto(`${site.origin}/dashboard/links/new`);
  await page.fill('#title', 'A whole thali for the family, with sweets and papad, every Sunday at noon');
  await page.fill('#amount', '140');
  await page.click('text=Make the link');
  await page.click('text=QR poster');
  await page.waitForSelector('.sheet');
  const link = page.url();
  await page.goto(`${site.origin}/dashboard/upi-accounts/${shop.accountId}/poster`);
  await page.waitForSelector('.sheet');
  for (const [url, words, other] of [
    [page.url(), /Scan and pay.*स्कैन करें, भुगतान करें.*@/s, /print the poster of a payment link/],
    [link, /Open the camera.*tap the link.*Pay by UPI.*फ़ोन का कैमरा खोलें/s, /print the poster of your UPI ID/],
  ] as const)
    for (const [size, width] of Object.entries(widths)) {
      await page.goto(`${url}&size=${size}`);
      assert.match((await page.textContent('.sheet'))!, words);
      assert.match((await page.textContent('main'))!, other);
      if (size === 'a4' || size === 'tent') assert.deepEqual(await accessibilityProblems(page), []);
      await page.setViewportSize({ width: 320, height: 568 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      const sheets = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+)/g)].map(([, wide]) => wide!);
      assert.equal(sheets.length, 1, `${url} ${size}`);
      assert.ok(sheets[0]!.startsWith(width), sheets[0]);
      const overlaps =
        await page.evaluate(`[...document.querySelectorAll('.poster > *, .poster-words > *')].filter(
        part => part.scrollHeight > part.clientHeight + 1 || part.getBoundingClientRect().bottom >
          part.closest('.poster').getBoundingClientRect().bottom + 1).map(part => part.className)`);
      assert.deepEqual(overlaps, [], `${url} ${size}`);
    }
});

test('a person who may read the accounts may print posters; another business’s account is not found', async () => {
  const page = await visitAs('cashier');
  const poster = `${site.origin}/dashboard/poster?of=${shop.accountId}`;
  assert.equal((await page.goto(poster))?.status(), 403);
  const owner = await visitAs('owner');
  assert.equal((await owner.goto(poster.replace(shop.accountId, 'acc_other')))?.status(), 404);
  await world.sql`update upi_accounts set removed_at = now() where merchant_id = ${shop.merchantId}`;
  assert.equal((await owner.goto(poster))?.status(), 404);
});

test('the wall’s code has the account, and no sum, order or reference', () => {
  const payee = { vpa: 'asha@okaxis', payeeName: 'Asha & Co', merchantCode: '5814' };
  assert.equal(
    upiAccountLink({ ...payee, kind: 'personal' }),
    'upi://pay?pa=asha@okaxis&pn=Asha%20%26%20Co&cu=INR',
  );
  assert.equal(
    upiAccountLink({ ...payee, kind: 'merchant' }),
    'upi://pay?pa=asha@okaxis&pn=Asha%20%26%20Co&mc=5814&cu=INR',
  );
});

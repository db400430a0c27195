import assert from 'node:assert/strict';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { accessibilityProblems, desktop, openBrowser, phone } from '../../support/browser.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import { openTestWorld } from '../../support/test-world.ts';

const { test, use } = needs('Chromium');
const world = use(openTestWorld);
const browser = use(openBrowser);

const cases = [
  [
    'shop@outlook.com',
    /Outlook\.com.*only the forwarding address/,
    /We have not tried it\. Give your bank your forwarding/,
  ],
  [
    'shop@zohomail.in',
    /Zoho Mail: the mailbox can be connected/,
    /imappro\.zoho\.in.*The free plan has no IMAP/,
  ],
  ['shop@gmail.com', /Gmail, Google Workspace/, /Does this mail come from another account\?/],
] as const;

test('first steps say what a mail service can do before anything is connected', async () => {
  const site = await openDashboard(world);
  const merchantId = await createMerchant(world.sql, world, { name: 'Chai Corner' });
  const { token } = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  for (const [size, shape] of Object.entries({ phone, desktop })) {
    const { page, troubles, close } = await browser.open(shape);
    await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
    for (const [address, name, advice] of cases) {
      await page.goto(`${site.origin}/dashboard/first-steps?bank=hdfc&mails=yes&writes_to=`);
      await page.getByLabel('To which address does your bank write?').fill(address);
      await page.getByRole('button', { name: 'Show which way works' }).click();
      const note = page.locator('#ways-step .note').first();
      await note.waitFor();
      const said = (await note.textContent()) ?? '';
      assert.match(said, name, size);
      assert.match(said, advice);
      assert.equal(await page.getByLabel('To which address does your bank write?').inputValue(), address);
      assert.deepEqual(await accessibilityProblems(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
      const pictures = process.env['PICTURES'];
      if (pictures)
        await page
          .locator('#ways-step')
          .screenshot({ path: `${pictures}/${address.replace(/.*@/, '')}-${size}.png` });
    }
    assert.deepEqual(troubles, []);
    await close();
  }
  await site.stop();
});

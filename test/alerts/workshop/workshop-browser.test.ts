import assert from 'node:assert/strict';
import { type Alert, axis, bankMail, canara, hdfc, slice } from '../../support/bank-mail.ts';
import {
  accessibilityProblems,
  desktop,
  openBrowser,
  phone,
  type TestBrowser,
} from '../../support/browser.ts';
import {
  addTestUser,
  callAs,
  type DashboardSite,
  openDashboard,
  type TestUser,
} from '../../support/dashboard-site.ts';
import { needs } from '../../support/needs.ts';
import type { TestWorld } from '../../support/test-world.ts';
import { allBanks, another, samples } from './sample-mails.ts';
import { addShop, openBench, receive } from './workshop-bench.ts';

const { after, before, test } = needs('Chromium');

const removed = [hdfc, slice, canara];
const home = '/dashboard/operator/workshop';

let world: TestWorld;
let site: DashboardSite;
let browser: TestBrowser;
let operator: TestUser;
let merchantId: number;

before(async () => {
  world = await openBench(
    allBanks.filter(({ id }) => id !== 'axis' && !removed.some(({ bank }) => bank === id)),
  );
  site = await openDashboard(world);
  browser = await openBrowser();
  operator = await addTestUser(world, 0, 'operator');
  merchantId = await addShop(world, 'kotak');
});
after(async () => {
  await browser?.stop();
  await site?.stop();
  await world?.stop();
});

/** What a person taps for each field, as it stands in the mail. */
const taps: Record<string, (alert: Alert) => string[]> = {
  Amount: () => ['500.37'],
  Account: () => ['4321'],
  Reference: () => ['615300112233'],
  'Payer’s name': () => ['MEERA', 'IYER'],
  'Payer’s UPI ID': ({ bank }) => (bank === 'hdfc' ? ['meera.iyer@okaxis'] : []),
};

for (const alert of removed)
  test(`a person who never saw the code teaches ${alert.bank}, whose file is taken away, by tapping`, async t => {
    const look = alert === slice ? phone : desktop;
    const { page, troubles, close } = await browser.open(look);
    const { token } = await callAs(site, world, operator);
    await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
    let steps = 0;
    const click = async (name: string | RegExp, within = 'main') => {
      steps++;
      await page.locator(within).getByRole('button', { name }).first().click();
    };
    await page.goto(site.origin + home);
    const buffer = bankMail(alert);
    await page
      .getByLabel('Saved mail (.eml)')
      .setInputFiles({ name: 'a.eml', mimeType: 'message/rfc822', buffer });
    steps++;
    await click('Show this mail');
    for (const [name, words] of Object.entries(taps)) {
      if (words(alert).length === 0) continue;
      await click(new RegExp(`^${name}`), '.mark-names');
      for (const word of words(alert)) await click(new RegExp(word), '.mail-words');
    }
    await page.getByLabel('Name of the new bank').fill(`Bank ${alert.bank}`);
    steps++;
    await click('Draft and try it');
    await page.getByText('It can be saved.').waitFor();
    assert.deepEqual(await accessibilityProblems(page), []);
    await click('Save for this installation');
    await page.getByText(`Bank ${alert.bank} is saved.`).waitFor();
    assert.deepEqual(troubles, []);
    await close();
    t.diagnostic(`${alert.bank}: ${steps} taps and fields from the first page to the saved bank`);
    assert.ok(steps <= 20, String(steps));

    await world.banks.look(world);
    await receive(world, merchantId, [bankMail(another(alert))]);
    const [read] = await world.sql`
      select bank, amount_paise, bank_reference from alerts where bank = ${`bank-${alert.bank}`}`;
    assert.deepEqual(
      { ...read },
      {
        bank: `bank-${alert.bank}`,
        amount_paise: 10_004_208,
        bank_reference: '998877665544',
      },
    );
  });

test('without script the same is typed, and no word of the mail is markup', async () => {
  const { page, close } = await browser.open({ ...desktop, javaScriptEnabled: false });
  const { token } = await callAs(site, world, operator);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(site.origin + home);
  const buffer = bankMail(axis);
  await page
    .getByLabel('Saved mail (.eml)')
    .setInputFiles({ name: 'a.eml', mimeType: 'message/rfc822', buffer });
  await page.getByRole('button', { name: 'Show this mail' }).click();
  await page.getByLabel('Amount').fill('77.00');
  await page.getByLabel('Name of the new bank').fill('Axis');
  await page.getByRole('button', { name: 'Draft and try it' }).click();
  await page.getByText('does not stand in the mail').waitFor();
  assert.equal(await page.locator('.mail-words button').count(), 0);
  await close();
});

for (const language of ['en', 'hi'])
  test(`the workshop fits a phone from the first page to the draft (${language})`, async () => {
    const { alert, marks } = samples.find(one => one.alert.bank === 'axis')!;
    const { page, close } = await browser.open({ ...phone, locale: `${language}-IN` });
    const { token } = await callAs(site, world, operator);
    await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
    const fits = async () =>
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), page.url());
    await page.goto(`${site.origin}${home}?lang=${language}`);
    await fits();
    const file = { name: 'a.eml', mimeType: 'message/rfc822', buffer: bankMail(alert) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('main form[enctype] button.button').last().click();
    for (const [name, value] of Object.entries(marks)) await page.locator(`input[name=${name}]`).fill(value);
    await page.locator('input[name=bank_name]').fill('Axis Bank');
    await fits();
    await page.locator('main form > .actions button').click();
    await page.locator('#draft').waitFor();
    await fits();
    await close();
  });

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { type Alert, bankMail, canara, hdfc, slice } from '../../support/bank-mail.ts';
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
import { allBanks, another } from './sample-mails.ts';
import { addShop, openBench, receive } from './workshop-bench.ts';

const { after, before } = needs('Chromium');

/** Banks whose files are taken away, for people to teach. */
const removed = ['axis', ...[hdfc, slice, canara].map(({ bank }) => bank)];

let world: TestWorld;
let site: DashboardSite;
let browser: TestBrowser;
let operator: TestUser;
let merchantId: number;

/** The operator's workshop in a browser, for the file that calls this. */
export function useWorkshop(): void {
  before(async () => {
    world = await openBench(allBanks.filter(({ id }) => !removed.includes(id)));
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
}

/** Its first page, as the operator sees it. */
export async function visit(look: BrowserContextOptions, query = '') {
  const opened = await browser.open(look);
  const { token } = await callAs(site, world, operator);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await opened.page.goto(`${site.origin}/dashboard/operator/workshop${query}`);
  return opened;
}

/** The words that a person taps for each field, spelled as in the mail. */
const taps: Record<string, (alert: Alert) => string[]> = {
  Amount: () => ['500.37'],
  Account: () => ['4321'],
  Reference: () => ['615300112233'],
  'Payer’s name': () => ['MEERA', 'IYER'],
  'Payer’s UPI ID': ({ bank }) => (bank === 'hdfc' ? ['meera.iyer@okaxis'] : []),
};

/** From the first page to the saved bank, and the bank's next mail is read. */
export async function teach(t: TestContext, alert: Alert): Promise<void> {
  const look = alert === slice ? phone : desktop;
  const { page, troubles, close } = await visit(look);
  let steps = 0;
  const click = async (name: string | RegExp, within = 'main') => {
    steps++;
    await page.locator(within).getByRole('button', { name }).first().click();
  };
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

  await world.banks.reload(world);
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
}

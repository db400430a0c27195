import type { Page } from 'playwright-core';
import type { Bank } from '../../src/alerts/banks/bank.ts';
import { loadBanks } from '../../src/alerts/banks/load-banks.ts';
import { openBankBook } from '../../src/alerts/book/open-bank-book.ts';
import { openJudging } from '../../src/alerts/judging/open-judging.ts';
import { testBank } from './alert-banks.ts';
import { openBrowser, phone, type TestBrowser } from './browser.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from './dashboard-site.ts';
import { type DoubtedShop, doubtedShop, newKey } from './doubted-shop.ts';
import { needs } from './needs.ts';

const { after, beforeEach } = needs('Chromium');

export let shop: DoubtedShop;
let site: DashboardSite;
let browser: TestBrowser;

/** A shop with mails that no program can read for certain, and its owner's phone, for the file that calls this. */
export function useHeldMails(): void {
  shop = doubtedShop();
  beforeEach(async () => {
    const { world } = shop.api;
    site ??= await openDashboard(world);
    browser ??= await openBrowser();
    world.banks = openBankBook(() => [sbi()]);
    await shop.judging.close();
    shop.judging = openJudging(world);
    shop.publish('s1', newKey);
  });
  after(async () => {
    await browser?.stop();
    await site?.stop();
  });
}

/** State Bank's wordings, which print the reference before a payer's words, under the key of the tests' bank. */
function sbi(): Bank {
  const { senders, signingDomains } = testBank();
  const bank = loadBanks(null).find(({ id }) => id === 'sbi')!;
  return { ...bank, id: 'test', part: 'text', senders, signingDomains };
}

/** The remark has the bank's own last words in it: where it ends, only a person can say. */
const doubtfulBody = (rupees: number, reference: string, remark: string) =>
  `Dear Customer,\r\nYour AC XXXXXXX4321 Credited INR ${rupees.toFixed(2)} on 15/11/26 -UPI/CR/${reference}/RAVI KUMAR/OKBANK/${remark}.-SBI Thanks.-SBI\r\n`;

const usual = { reference: '615300112233', key: newKey, remark: 'advance of INR 9999.00' };

export async function heldMail(change: Partial<typeof usual> = {}) {
  const { reference, key, remark } = { ...usual, ...change };
  const order = await shop.order();
  const body = doubtfulBody(order.payable_amount, reference, remark);
  const alertId = await shop.mail(1, { key, body, change: { Subject: 'CBSSBI ALERT' } });
  await shop.judge();
  return { order, alertId, path: `/dashboard/money/held/${alertId}` };
}

export async function visit() {
  const { world } = shop.api;
  const owner = await addTestUser(world, shop.merchant.merchantId, 'owner');
  const { token } = await callAs(site, world, owner);
  const opened = await browser.open(phone);
  await opened.page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  return { ...opened, go: (path: string) => opened.page.goto(site.origin + path) };
}

export const [sum, number, which] = [/^The sum that/, /^The reference that/, /^The order that/];
export const accept = (page: Page) => page.getByRole('button', { name: 'Accept: the order is paid' });

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startReceiving } from '../../../src/alerts/mailboxes/start-receiving.ts';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { accessibilityProblems, openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../../support/dashboard-site.ts';
import { type Dovecot, startDovecot } from '../../support/dovecot.ts';
import { bankZone, linesWith, signedAlert } from '../../support/genuine-alert.ts';
import { needs } from '../../support/needs.ts';
import { openMailWorld, quickPace } from '../../support/test-mailbox.ts';
import type { TestWorld } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';

const { after, before, test } = needs('Chromium', 'Dovecot');

const address = 'owner@chai.example';

let world: TestWorld;
let site: DashboardSite;
let dovecot: Dovecot;
let browser: TestBrowser;
let running: { stop(): Promise<void> }[] = [];

before(async () => {
  const banksFile = join(import.meta.dirname, '../../support/test-bank.json');
  [world, dovecot, browser] = await Promise.all([
    openMailWorld({ BANKS_FILE: banksFile }),
    startDovecot(),
    openBrowser(),
  ]);
  Object.assign(world.config, { imapCa: dovecot.ca });
  world.dns.addresses.set(dovecot.host, ['127.0.0.1']);
  for (const [name, record] of Object.entries(bankZone())) world.dns.texts.set(name, [record]);
  await dovecot.setPassword(address, 'app password');
  site = await openDashboard(world);
  running = [startReceiving(world, { ca: dovecot.ca, pace: quickPace })];
});
after(async () => {
  await Promise.all(running.map(role => role.stop()));
  await Promise.all([browser?.stop(), site?.stop()]);
  await Promise.all([world?.stop(), dovecot?.stop()]);
});

function alertOf(amount: string, reference: string): Buffer {
  const at = world.clock.now();
  return signedAlert(
    linesWith({ To: address, Date: at.toUTCString(), 'Message-ID': `<${reference}@test.bank.in>` }),
    `Dear Customer, Rs.${amount} is credited to your account XX4321 by ravi@okbank. UPI reference ${reference}. Thank you.\r\n`,
    { tags: [`t=${Math.floor(at.getTime() / 1000)}`] },
  );
}

const check = (page: Page, name: string, state: string) => page.locator(`.check.${state}`, { hasText: name });

test('first steps lead a new business from nothing to a payment proven by a signed alert', async () => {
  const merchantId = await createMerchant(world.sql, world, { name: 'Chai Corner' });
  const { token } = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const { page, troubles, close } = await browser.open(phone);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);

  // Home shows the first steps, of which one is open.
  await page.goto(`${site.origin}/dashboard`);
  const open = async () => await page.locator('.path details[open] > summary h2').allTextContents();
  assert.deepEqual(await open(), ['Your bank']);
  // Choose another bank than the one that sent the mails; the proof must find this out.
  await page.getByLabel('Bank', { exact: true }).selectOption('kotak');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('The mails come from').waitFor();
  assert.deepEqual(await open(), ['Does it mail you?']);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.getByRole('link', { name: 'Yes, my bank mails me' }).click();
  await page.waitForURL('**mails=yes');
  assert.deepEqual(await open(), ['Your UPI ID']);
  await page.getByRole('link', { name: 'Add a UPI account' }).click();
  assert.equal(await page.getByLabel('Bank', { exact: true }).inputValue(), 'kotak');
  await page.getByLabel('UPI ID', { exact: true }).fill('chai@okaxis');
  await page.getByLabel('Name shown in the UPI app').fill('Chai Corner');
  await page.getByRole('button', { name: 'Add the account' }).click();
  await page
    .getByText('Kotak Mahindra Bank’s alerts print 4 digits of the account: enter the last 4.')
    .waitFor();
  await page.getByLabel(/Last digits/).fill('9999');
  await page.getByRole('button', { name: 'Add the account' }).click();
  await page.getByText('Customers pay to chai@okaxis.').waitFor({ state: 'attached' });
  assert.deepEqual(await open(), ['How its mails reach us']);

  await page.getByRole('link', { name: 'Connect the mailbox' }).click();
  const connect = async (password: string) => {
    await page.getByLabel('Provider').selectOption('other');
    await page.getByLabel('Address', { exact: true }).fill(address);
    await page.getByLabel('Password').fill(password);
    const more = page.locator('details', { has: page.getByText('More settings', { exact: true }) });
    if ((await more.getAttribute('open')) === null) await more.locator('summary').click();
    await page.getByLabel(/^Mail server/).fill(dovecot.host);
    await page.getByLabel(/^Port/).fill(String(dovecot.port));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
  };
  await connect('wrong');
  await page.getByRole('alert').waitFor();
  await connect('app password');
  await page.getByText('The mailbox is connected and is being read from now on.').waitFor();

  await until('the mailbox is read', async () => {
    await page.reload();
    return (await open()).join() === 'One rupee, paid by another person';
  });
  await page.getByText(`Make sure that the mails go to ${address}.`).waitFor({ state: 'attached' });

  await page.getByRole('button', { name: 'Start the proof' }).click();
  const asked = await page.getByText(/^Pay exactly ₹1\.\d\d$/).textContent();
  const amount = asked?.slice(-4) ?? '';
  await page.getByRole('img', { name: `QR code to pay ₹${amount}` }).waitFor();
  await check(page, 'A bank mail arrived', 'waiting').waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);

  const genuine = alertOf(amount, '612345678901');
  const forged = Buffer.from(genuine.toString('latin1').replace('ravi@', 'mala@'), 'latin1');
  await dovecot.deliver(address, forged);
  await check(page, 'The bank’s signature is genuine', 'failed').waitFor();
  await check(page, 'A bank mail arrived', 'done').waitFor();

  await dovecot.deliver(address, genuine);
  await check(page, 'It is about your account', 'failed').waitFor();
  await page.getByText('Is Test Bank …4321 your account? Correct the record.').waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.locator('#proof-checks').getByRole('link', { name: 'Name the bank and the digits' }).click();
  await page.getByLabel('Bank', { exact: true }).selectOption('test');
  await page.getByLabel(/Last digits/).fill('4321');
  await page.getByRole('button', { name: 'Save the bank account' }).click();
  await page
    .getByText('The money arrives at Test Bank, account …4321: no other alert counts.')
    .waitFor({ state: 'attached' });

  await page.getByRole('button', { name: 'Start again with a new amount' }).click();
  const anew = (await page.getByText(/^Pay exactly ₹1\.\d\d$/).textContent())?.slice(-4) ?? '';
  assert.notEqual(anew, amount);
  await dovecot.deliver(address, alertOf(anew, '612345678902'));
  await check(page, 'The amount is that of the order: paid', 'done').waitFor();
  assert.equal(await page.locator('.check.done').count(), 6);
  await page.getByText('Proven: payments are confirmed').first().waitFor();
  // The whole page knows: nobody is asked for a second rupee.
  await page.locator('#proof-step .badge', { hasText: 'Done' }).first().waitFor();
  assert.equal(await page.getByText(/^Pay exactly/).count(), 0);
  assert.deepEqual(await open(), ['One rupee, paid by another person', 'Your first payment']);
  await page.locator('main').getByRole('link', { name: 'Counter', exact: true }).waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);

  await page.locator('#proof-checks').getByRole('link', { name: /^ML-/ }).click();
  await page.getByText('test.bank.in, key s1').waitFor({ state: 'attached' });
  await page.getByText('612345678902').first().waitFor({ state: 'attached' });
  assert.deepEqual(troubles, []);
  await close();
});

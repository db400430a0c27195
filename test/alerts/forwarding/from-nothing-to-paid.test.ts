import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startMailing } from '../../../src/outbox/mails/send-mails.ts';
import { accessibilityProblems, desktop, openBrowser } from '../../support/browser.ts';
import { openDashboard, testPassword } from '../../support/dashboard-site.ts';
import { creditTo, openForwardingStage } from '../../support/forwarding-stage.ts';
import { googleConfirmation, handMail } from '../../support/mail-provider.ts';
import { needs } from '../../support/needs.ts';
import { waitFor } from '../../support/wait-for.ts';

const { test, use } = needs('Chromium');

const owner = 'meera@gmail.example';

const stage = use(() => openForwardingStage({}, { judging: true }));
const site = use(() => openDashboard(stage.world));
const browser = use(openBrowser);
use(() => startMailing(stage.world));

const mailTo = async (what: RegExp) =>
  await waitFor(`a mail with ${what}`, () =>
    stage.provider.received
      .map(({ raw }) => what.exec(raw.toString().replace(/=\r\n/g, '').replaceAll('=3D', '=')))
      .find(found => found !== null),
  );
const check = (page: Page, name: string, state: string) => page.locator(`.check.${state}`, { hasText: name });

test('a new business is paid by forwarding alone: it never enters a mailbox password', async () => {
  const { page, troubles, close } = await browser.open(desktop);
  await page.goto(`${site.origin}/dashboard/sign-up`);
  await page.getByLabel('Name of the business').fill('Meera’s Teas');
  await page.getByLabel('Email').fill(owner);
  await page.getByRole('button', { name: 'Send the link' }).click();
  const [, path] = await mailTo(/(\/dashboard\/open-business\/[\w-]+)/);
  await page.goto(`${site.origin}${path}`);
  await page.getByLabel(/password/i).fill(testPassword);
  await page.getByRole('button', { name: 'Open a business' }).click();
  await page.waitForURL('**/dashboard');

  await page.goto(`${site.origin}/dashboard/upi-accounts/add?next=/dashboard/first-steps`);
  await page.getByLabel('UPI ID', { exact: true }).fill('meera@okaxis');
  await page.getByLabel('Name shown in the UPI app').fill('Meera Rao');
  await page.getByLabel('Bank', { exact: true }).selectOption('test');
  await page.getByLabel(/Last digits/).fill('4321');
  await page.getByRole('button', { name: 'Add the account' }).click();
  await page.getByText('Customers pay to meera@okaxis.').waitFor({ state: 'attached' });

  // Both ways stand side by side.
  await page.getByRole('link', { name: 'Connect the mailbox' }).waitFor();
  await page.getByRole('button', { name: 'Get my forwarding address' }).click();
  const address = (await page.locator('#forward-to').textContent()) ?? '';
  assert.match(address, /^alerts-[0-9a-f]{32}@alerts\.milaan\.example$/);
  assert.equal(
    await page.locator('#forward-filter').textContent(),
    'from:(alerts@test.bank.in OR pay@milaan.example)',
  );
  assert.deepEqual(await accessibilityProblems(page), []);

  // She enters the address at Gmail, which asks; the question appears by itself, and she types its code there.
  const code = '240712345';
  await handMail(stage.port, { to: address, raw: googleConfirmation({ to: address, askedBy: owner, code }) });
  await page.getByText(`${owner} wants to send its mail on to you.`).waitFor();
  await page.getByText('Alerts to that address count once our own code confirms it.').waitFor();
  assert.equal(await page.locator('#forward-code-0').textContent(), code);
  assert.equal(
    await page.getByRole('link', { name: 'Open the link' }).getAttribute('href'),
    'https://mail-settings.google.com/mail/vf-%5BANGjdJ9allow%5D-yes',
  );
  assert.deepEqual(await accessibilityProblems(page), []);
  stage.provider.forward(owner, { port: stage.port, address });

  // Our own code comes back through the forwarding, then a probe: nothing is typed.
  await page.getByLabel('Address the bank writes to').fill(owner);
  await page.getByRole('button', { name: 'Send a code to it' }).click();
  await page.locator('#forwarding-news').getByText('Mail comes through').waitFor();
  await page.locator('#forwarding-news').getByText('came back after').waitFor();
  await page.reload();
  await page.locator('#ways-step .state', { hasText: 'Done' }).first().waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);

  await page.getByText(`Make sure that the mails go to ${owner}.`).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Start the proof' }).click();
  const amount = (await page.getByText(/^Pay exactly ₹1\.\d\d$/).textContent())?.slice(-4) ?? '';
  // Somebody else's credit to somebody else's address, sent on to hers: it is seen, and pays nothing.
  const thief = 'mallory@gmail.example';
  stage.provider.forward(thief, { port: stage.port, address });
  await stage.provider.arrives(thief, creditTo(thief, { amount }));
  await check(page, 'The bank addressed it to you', 'failed').waitFor();
  await stage.provider.arrives(owner, creditTo(owner, { amount }));
  await check(page, 'The amount is that of the order: paid', 'done').waitFor();
  await page.getByText('Proven: payments are confirmed').first().waitFor();
  const mailboxes = await stage.world.sql`select from mailboxes`;
  assert.equal(mailboxes.length, 0);

  // The address can be replaced, and the old one is then nobody's.
  await page.goto(`${site.origin}/dashboard/mailbox`);
  assert.deepEqual(await accessibilityProblems(page), []);
  await page.locator('#forwarding .menu > summary').click();
  await page.getByRole('link', { name: 'Replace the address' }).click();
  await page.getByRole('button', { name: 'Replace the address' }).click();
  await page.getByText('Here is your new forwarding address.').waitFor();
  assert.notEqual(await page.locator('#forward-to').textContent(), address);
  assert.deepEqual(troubles, []);
  await close();
});

import assert from 'node:assert/strict';
import { loadBanks } from '../../../src/alerts/banks/load-banks.ts';
import { paise } from '../../../src/base/money.ts';
import { createOrder } from '../../../src/orders/create-order.ts';
import { openBrowser, phone } from '../../support/browser.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { noonSeconds } from '../../support/genuine-alert.ts';
import { needs } from '../../support/needs.ts';
import { mailKey, signMail, utf8 } from '../../support/signed-mail.ts';
import { type Card, layouts, standardChartered, village, withValue } from '../reading/rows.ts';
import { addShop, judgeAll, openBench, receive } from './workshop-bench.ts';

const { prepare, test, use } = needs('Chromium');

const home = '/dashboard/operator/workshop';

let merchantId: number;

const world = use(() => openBench(loadBanks(null)));
prepare(async () => {
  for (const domain of ['sc.com', 'village.bank.in'])
    world.dns.texts.set(`s1._domainkey.${domain}`, [mailKey().record]);
});
const site = use(() => openDashboard(world));
const browser = use(openBrowser);
const operator = use(() => addTestUser(world, 0, 'operator'));
prepare(async () => {
  merchantId = await addShop(world, 'standard-chartered');
});

/** A card of rows, signed by the domain that it comes from. */
function rowsMail(from: string, card: Card, amount: string, reference: string): Buffer {
  let rows = withValue(card.rows, 'Amount', amount);
  rows = withValue(rows, 'UPI Ref. No.', reference);
  rows = withValue(rows, 'To VPA', 'chai@okaxis');
  rows = withValue(rows, 'To Account', 'Village Bank - XXXXXXX4321');
  return signed(from, layouts['a table']!(card.heading, rows));
}

function signed(from: string, body: string): Buffer {
  const domain = from.split('@')[1]!;
  const html = `<html><body>${body}</body></html>`;
  const lines = [
    `From: Alerts <${from}>`,
    'To: merchant@shop.in',
    'Subject: UPI credit alert',
    'Date: Tue, 02 Jun 2026 11:59:50 +0530',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=UTF-8',
  ];
  const names = ['from', 'to', 'subject', 'date', 'mime-version', 'content-type'];
  return signMail(lines, `${utf8(html)}\r\n`, { domain, names, tags: [`t=${noonSeconds - 5}`] });
}

async function openWorkshop() {
  const { page, troubles, close } = await browser.open(phone);
  const { token } = await callAs(site, world, operator);
  await page.context().addCookies([{ name: 'milaan', value: token, url: site.origin }]);
  await page.goto(site.origin + home);
  const tap = async (name: string, ...words: string[]) => {
    await page
      .locator('.mark-names')
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .first()
      .click();
    for (const word of words)
      await page
        .locator('.mail-words')
        .getByRole('button', { name: new RegExp(word) })
        .first()
        .click();
  };
  const click = (name: string) => page.locator('main').getByRole('button', { name }).first().click();
  return { page, troubles, close, tap, click };
}

test('a trial’s first genuine mail shows its signer: after one save in the browser the order waits for one tap', async () => {
  const { order } = await createOrder(
    world.sql,
    world,
    { merchantId, signedIn: true },
    {
      amount: paise(500_00),
      merchantOrderId: 'rows-1',
      successUrl: 'https://shop.example.com/thanks',
      failureUrl: 'https://shop.example.com/sorry',
      webhookUrl: 'https://shop.example.com/hook',
      customer: null,
      account: null,
    },
  );
  const amount = (order.payable_paise / 100).toFixed(2);
  const mail = signed(
    'alerts.in@sc.com',
    `<p>Dear Customer,</p><p>Your a/c no. XX4321 is credited by INR ${amount} on 02-06-26.</p>`,
  );
  assert.deepEqual(await receive(world, merchantId, [mail]), ['unreadable']);
  const { page, troubles, close, tap, click } = await openWorkshop();
  await page
    .getByLabel('Saved mail (.eml)')
    .setInputFiles({ name: 'a.eml', mimeType: 'message/rfc822', buffer: mail });
  await click('Show this mail');
  await tap('Amount', amount.replace('.', '\\.'));
  await click('Draft and try it');
  await page.getByText('It can be saved.').waitFor();
  await click('Save for this installation');
  await page.getByText('is saved.').waitFor();
  assert.deepEqual(troubles, []);
  await close();
  await world.banks.reload(world);
  await judgeAll(world);
  const [held] = await world.sql`
    select o.status, e.reason_code, e.trust, e.bank_reference from orders o
      join handled_credits h on h.order_id = o.order_id and h.state = 'attached' and h.found_by = 'exact'
      join alerts e on e.alert_id = h.alert_id
    where o.order_id = ${order.order_id}`;
  assert.deepEqual(
    { ...held },
    { status: 'manual_review', reason_code: 'waits_trial', trust: 'trial', bank_reference: null },
  );
});

/** Opens the workshop with such a mail and marks all values in it. */
async function selectRows(card: Card) {
  const visit = await openWorkshop();
  const { page, tap, click } = visit;
  const buffer = rowsMail('alerts@village.bank.in', card, '500.37', '615300112244');
  await page
    .getByLabel('Saved mail (.eml)')
    .setInputFiles({ name: 'a.eml', mimeType: 'message/rfc822', buffer });
  await click('Show this mail');
  await tap('Amount', '500\\.37');
  await tap('Account', 'XXXXXXX4321');
  await tap('Reference', '615300112244');
  await tap('Payer’s name', 'RAHUL', 'SAMPLE');
  await tap('Payer’s UPI ID', '9000000787@yescred');
  await page.locator('[data-marks] details summary').click();
  await page.locator('input[name=payee_vpa]').fill('chai@okaxis');
  await page.getByLabel('Name of the new bank').fill('Village Bank');
  await click('Draft and try it');
  return visit;
}

test('rows with the payer above the amount are refused with a reason, and cannot be saved', async () => {
  const { page, troubles, close } = await selectRows(standardChartered);
  await page.getByText('The payer’s words are before the amount').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save for this installation' }).count(), 0);
  assert.deepEqual(troubles, []);
  await close();
});

test('rows of an unknown bank are taught by tapping, and the next mail is read', async () => {
  const { page, troubles, close, click } = await selectRows(village);
  await page.getByText('It can be saved.').waitFor();
  await click('Save for this installation');
  await page.getByText('Village Bank is saved.').waitFor();
  assert.deepEqual(troubles, []);
  await close();
  await world.banks.reload(world);
  await receive(world, merchantId, [rowsMail('alerts@village.bank.in', village, '42.08', '998877665544')]);
  const [read] = await world.sql`
    select amount_paise, bank_reference, account_digits from alerts where bank = 'village-bank'`;
  assert.deepEqual(
    { ...read },
    { amount_paise: 4_208, bank_reference: '998877665544', account_digits: '4321' },
  );
});

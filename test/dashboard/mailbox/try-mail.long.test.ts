import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tryMail } from '../../../src/alerts/judging/try-mail.ts';
import { mayGuess } from '../../../src/business/accounts/guesses.ts';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { addUpiAccount } from '../../../src/business/merchants/upi-accounts.ts';
import { accessibilityProblems, openBrowser, phone, type TestBrowser } from '../../support/browser.ts';
import {
  addTestUser,
  type Caller,
  callAs,
  type DashboardSite,
  openDashboard,
} from '../../support/dashboard-site.ts';
import { altered, bankZone, linesWith, signedAlert } from '../../support/genuine-alert.ts';
import { needs } from '../../support/needs.ts';
import { rowsOf } from '../../support/rows-of.ts';
import { openTestWorld, type TestWorld } from '../../support/test-world.ts';

const { after, before, test } = needs('Chromium');

let world: TestWorld;
let site: DashboardSite;
let browser: TestBrowser;

before(async () => {
  const banksFile = join(import.meta.dirname, '../../support/test-bank.json');
  [world, browser] = await Promise.all([openTestWorld({ BANKS_FILE: banksFile }), openBrowser()]);
  for (const [name, record] of Object.entries(bankZone())) world.dns.texts.set(name, [record]);
  site = await openDashboard(world);
});
after(async () => {
  await Promise.all([browser?.stop(), site?.stop()]);
  await world?.stop();
});

function alertTo(address: string): Buffer {
  const at = world.clock.now();
  return signedAlert(
    linesWith({ To: address, Date: at.toUTCString() }),
    'Dear Customer, Rs.500.37 is credited to your account XX4321 by ravi@okbank. UPI reference 612345678901. Thank you.\r\n',
    { tags: [`t=${Math.floor(at.getTime() / 1000)}`] },
  );
}

const boundary = '----form7';
function formWith(mail: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="mail"; filename="a.eml"\r\nContent-Type: message/rfc822\r\n\r\n`,
    ),
    mail,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

function upload({ cookie }: Pick<Caller, 'cookie'>, mail: Buffer, headers: Record<string, string> = {}) {
  return site.app.inject({
    method: 'POST',
    url: '/dashboard/first-steps/mail',
    headers: {
      cookie,
      'accept-language': 'en',
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
    payload: formWith(mail),
  });
}

async function newOwner() {
  const merchantId = await createMerchant(world.sql, world, { name: 'Chai Corner' });
  return { merchantId, caller: await callAs(site, world, await addTestUser(world, merchantId, 'owner')) };
}

test('an owner without a mailbox uploads a mail and reads what its verdict would be; nothing is stored', async () => {
  const { merchantId, caller } = await newOwner();
  const { page, troubles, close } = await browser.open(phone);
  await page.context().addCookies([{ name: 'milaan', value: caller.token, url: site.origin }]);
  await page.goto(`${site.origin}/dashboard/first-steps`);
  await page.getByRole('heading', { name: 'Does it mail you?' }).click();
  await page.getByText('Try your own mail').click();
  const choose = async (buffer: Buffer) => {
    await page.getByLabel('The mail as a file').setInputFiles({
      name: 'alert.eml',
      mimeType: 'message/rfc822',
      buffer,
    });
    await page.getByRole('button', { name: 'Try this mail' }).click();
  };
  const check = (state: string, text: string) =>
    page.locator(`#try-mail .check.${state}`, { hasText: text }).waitFor();

  const before = await rowsOf(world, merchantId);
  await choose(alertTo('future@chai.example'));
  await page.getByText('What we make of this mail').waitFor();
  await check('done', 'Test Bank');
  await check('done', 'test.bank.in, s1');
  await check('done', '₹500.37');
  await check('waiting', 'The bank wrote to future@chai.example. Connect that mailbox.');
  await check('waiting', 'Test Bank …4321. You have recorded no UPI account');
  for (const fact of ['4321', '612345678901', 'ravi@okbank'])
    await page.locator('#try-mail dd', { hasText: fact }).waitFor();
  await page.getByText('A mail like this confirms a payment, once what is open above is done.').waitFor();
  assert.deepEqual(await accessibilityProblems(page), []);
  assert.deepEqual(await rowsOf(world, merchantId), before);

  // Said by the browser, before a byte is sent.
  await choose(Buffer.alloc(1024 * 1024 + 1, 'x'));
  const said = await page
    .getByLabel('The mail as a file')
    .evaluate(input => (input as unknown as { validationMessage: string }).validationMessage);
  assert.equal(said, 'The file is larger than 1 MB. No alert of a bank is.');
  assert.deepEqual(troubles, []);
  await close();
});

test('every gate that a mail fails is named with its reason', async () => {
  const { caller } = await newOwner();
  const answerTo = async (mail: Buffer) => (await upload(caller, mail)).body;
  const genuine = alertTo('future@chai.example');

  const forged = await answerTo(altered(genuine, '500.37', '900.37'));
  assert.match(forged, /The body of the mail was changed after it was signed/);
  assert.match(forged, /A mail like this confirms nothing/);
  assert.doesNotMatch(forged, /900\.37/);

  const stranger = await answerTo(altered(genuine, 'alerts@test.bank.in', 'alerts@other.bank.in'));
  assert.match(stranger, /alerts@other\.bank\.in is not a known sender/);
  assert.match(stranger, /href="\/docs\/banks#how-your-bank-is-added"/);

  const at = world.clock.now();
  const debit = signedAlert(
    linesWith({ To: 'future@chai.example', Date: at.toUTCString() }),
    'Dear Customer, Rs.500.37 is debited from your account XX4321.\r\n',
    { tags: [`t=${Math.floor(at.getTime() / 1000)}`] },
  );
  assert.match(await answerTo(debit), /A mail like this confirms nothing/);

  world.dns.texts.delete('s1._domainkey.test.bank.in');
  assert.match(await answerTo(genuine), /The bank’s key could not be fetched/);
  for (const [name, record] of Object.entries(bankZone())) world.dns.texts.set(name, [record]);

  // Saved with the line ends of a text file.
  const unix = Buffer.from(genuine.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  assert.match(await answerTo(unix), /₹500\.37/);
});

test('a mail to the owner’s account and address would pay, and still pays no order', async () => {
  const { merchantId, caller } = await newOwner();
  const now = world.clock.now();
  await world.sql.begin(tx =>
    addUpiAccount(tx, world, merchantId, {
      vpa: 'chai@okaxis',
      payeeName: 'Chai',
      kind: 'personal',
      bank: 'test',
      accountDigits: '4321',
    }),
  );
  await world.sql`
    insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at)
    values (${merchantId}, 'shop@chai.example', ${now}, ${now})`;
  const before = await rowsOf(world, merchantId);
  const { body } = await upload(caller, alertTo('shop@chai.example'));
  assert.match(body, /A mail like this confirms a payment of exactly this amount/);
  assert.deepEqual(await rowsOf(world, merchantId), before);
});

test('a file that is too large, an invalid form, another site, a stranger or another role is refused', async () => {
  const { merchantId, caller } = await newOwner();
  const mail = alertTo('future@chai.example');
  const large = await upload(caller, Buffer.alloc(1024 * 1024 + 8192, 'x'));
  assert.equal(large.statusCode, 413);
  assert.match(large.body, /The file is larger than 1 MB/);
  const slightly = await upload(caller, Buffer.alloc(1024 * 1024 + 1, 'x'));
  assert.equal(slightly.statusCode, 400);

  const plain = await upload(caller, mail, { 'content-type': 'application/x-www-form-urlencoded' });
  assert.equal(plain.statusCode, 400);
  assert.match(plain.body, /Choose the file of a mail first/);
  const empty = await upload(caller, Buffer.alloc(0));
  assert.match(empty.body, /Choose the file of a mail first/);

  assert.equal((await upload(caller, mail, { 'sec-fetch-site': 'cross-site' })).statusCode, 403);
  const stranger = await upload({ cookie: '' }, mail);
  assert.equal(stranger.statusCode, 303);
  assert.equal(stranger.headers['location'], '/dashboard/sign-in');
  const support = await callAs(site, world, await addTestUser(world, merchantId, 'support'));
  assert.equal((await upload(support, mail)).statusCode, 403);
});

test('one business tries thirty mails an hour, and a process two at once', async () => {
  const { merchantId, caller } = await newOwner();
  const mail = alertTo('future@chai.example');
  const guess = { kind: 'trying', whom: String(merchantId) } as const;
  for (let count = 0; count < 29; count++) assert.ok(await mayGuess(world, [guess]));
  assert.match((await upload(caller, mail)).body, /What we make of this mail/);
  const refused = await upload(caller, mail);
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /That was many mails in one hour/);

  const tried = await Promise.all([1, 2, 3].map(() => tryMail(world, mail, [])));
  assert.deepEqual(
    tried.map(one => one?.judgement.verdict ?? null),
    ['credit', 'credit', null],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, type Caller, callAs } from '../../support/dashboard-site.ts';
import { inTurn } from '../../support/in-turn.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { world, site } = useDashboard();
const merchant = use(() => addTestMerchant(world, { account: { accountDigits: '4321' } }));
const owner = use(async () => callAs(site, world, await addTestUser(world, merchant.merchantId, 'owner')));

const path = '/dashboard/reports/check';
const uploadPath = '/dashboard/statement';

async function upload(
  { cookie }: Caller,
  file: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ bank: 'hdfc', ...fields })) body.set(name, value);
  body.set('statement', new Blob([file]), '../../etc/statement.csv');
  const form = new Response(body);
  const answer = await site.app.inject({
    method: 'POST',
    url: uploadPath,
    headers: {
      cookie,
      origin: world.baseUrl,
      'sec-fetch-site': 'same-origin',
      'accept-language': 'en',
      'content-type': form.headers.get('content-type')!,
    },
    payload: Buffer.from(await form.arrayBuffer()),
  });
  return { status: answer.statusCode, text: answer.body };
}

const statement = (rows: string) => `Date,Narration,Deposit Amt.\n${rows}`;

test('a missed mail is shown prominently with the bank’s booking, and every cell is text', async () => {
  const credit = await storedCredit(world, merchant.merchantId, {
    amount: paise(500_37),
    reference: '691911111111',
  });
  await confirmPayment(world, credit);
  const { status, text } = await upload(
    owner,
    statement(
      '15/11/2026,UPI/691911111111/ok,500.37\n15/11/2026,"UPI/691922222222/<img src=x onerror=alert(1)>",700.00\n',
    ),
  );
  assert.equal(status, 200);
  assert.match(
    text,
    /class="card asks"><div><h2>One payment of ₹700\.00 is in the bank, and no email came for it</,
  );
  assert.ok(text.includes('691922222222'));
  assert.doesNotMatch(text, /<img src=x/);
  assert.match(text, /1 of 2 payments matches/);
  assert.match(
    text,
    /In the bank, with an email<\/th><td class="n">1<\/td><td class="sum"><span class="money">₹500</,
  );
});

test('a person who is signed out elsewhere while the file is read marks no order', async () => {
  const { merchantId } = merchant;
  await confirmPayment(
    world,
    await storedCredit(world, merchantId, { amount: paise(600_37), reference: '691933333333' }),
  );
  const user = await addTestUser(world, merchantId, 'manager');
  const [here, there] = [await callAs(site, world, user), await callAs(site, world, user)];
  const endOthers = () => here.post('/dashboard/account/sessions/end-others');
  const statuses = await inTurn(world, merchantId, endOthers, async () => {
    const { status } = await upload(there, statement('15/11/2026,UPI/691933333333/ok,600.37\n'));
    return { statusCode: status };
  });
  assert.deepEqual(statuses, [303, 403]);
});

test('the day’s report says “the same” only if the statement lists each of its payments', async () => {
  const shop = await addTestMerchant(world, { account: { accountDigits: '4321' } });
  const person = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  const pay = async (payable: number, reference: string) => {
    await addTestOrder(world, shop, { payable });
    const credit = await storedCredit(world, shop.merchantId, { amount: paise(payable), reference });
    assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  };
  const report = async () => decodeURIComponent((await person.get('/dashboard/reports')).body);
  await pay(500_37, '691944444444');
  await upload(person, statement('15/11/2026,UPI/691944444444/ok,500.37\n'));
  assert.match(await report(), /says the same<\/span>[\s\S]*says the same: 1 of 1 orders are in it/);
  await pay(80_11, '691955555555');
  const later = await report();
  assert.doesNotMatch(later, /says the same/);
  const { text } = await upload(person, statement('15/11/2026,UPI/691944444444/ok,500.37\n'));
  assert.match(text, /<h2 class="title">1 of 2 payments matches/);
  assert.equal(text.split('With an email, not in the bank').length, 2, 'that line is there once');
  assert.match(later, /1 of 2 orders are in it<\/span>[\s\S]*Bank’s statement: 1 of 2 orders are in it/);
});

test('an unreadable file is refused with the reason, above the form', async () => {
  for (const [file, words] of [
    ['%PDF-1.7', 'This is a PDF.'],
    ['PK\x03\x04 no archive', 'The file is damaged'],
    ['', 'Choose the file'],
  ] as const) {
    const { status, text } = await upload(owner, file);
    assert.equal(status, 400, words);
    assert.ok(text.includes(words), words);
    assert.match(text, /name="statement" type="file"/);
  }
  const { text } = await upload(owner, statement('15/11/2026,UPI,1\n'), { bank: 'icici' });
  assert.match(text, /No UPI account names its bank yet/);
});

test('corrected columns are remembered for that bank', async () => {
  const file = 'When,What,In\n15/11/2026,UPI/691911111111/ok,500.37\n';
  const unclear = await upload(owner, file);
  assert.equal(unclear.status, 400);
  assert.match(unclear.text, /It is not clear which columns/);
  assert.match(unclear.text, /<option value="When">When<\/option>/);
  const chosen = { date: 'When', amount: 'In', direction: '', reference: '', description: 'What' };
  assert.match((await upload(owner, file, chosen)).text, /An email came for every payment of this statement/);
  assert.match((await upload(owner, file)).text, /<option value="In" selected>In<\/option>/);
  const [row] =
    await world.sql`select columns from statement_columns where merchant_id = ${merchant.merchantId}`;
  assert.equal(row!['columns'].amount, 'In');
});

test('a file that is too large, a stranger and a role without the right are refused', async () => {
  const large = await upload(owner, new Uint8Array(13 * 1024 * 1024));
  assert.equal(large.status, 413);
  assert.match(large.text, /The file is larger than 12 MB/);
  const stranger = await callAs(site, world, null);
  assert.equal((await upload(stranger, statement('x'))).status, 303);
  const developer = await callAs(site, world, await addTestUser(world, merchant.merchantId, 'developer'));
  assert.equal((await upload(developer, statement('x'))).status, 403);
});

test('a business without a bank reads where to set one', async () => {
  const { merchantId } = await addTestMerchant(world);
  await world.sql`update upi_accounts set bank = null where merchant_id = ${merchantId}`;
  const caller = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  assert.match((await caller.get(path)).body, /No UPI account names its bank yet/);
});

test('the role is checked before an upload is read: a person without the right reads that, however large it is', async () => {
  const cashier = await callAs(site, world, await addTestUser(world, merchant.merchantId, 'cashier'));
  const { status } = await upload(cashier, 'x'.repeat(20 * 1024 * 1024));
  assert.equal(status, 403);
  assert.equal((await upload(owner, 'x'.repeat(20 * 1024 * 1024))).status, 413);
});

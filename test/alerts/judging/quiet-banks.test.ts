import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { findQuietBanks, selectQuietBanks } from '../../../src/alerts/judging/queries/quiet-banks.ts';
import { day, hour, later } from '../../../src/base/clock.ts';
import { findToDo } from '../../../src/dashboard/home/find-to-do.ts';
import { alarmsOfAll } from '../../../src/dashboard/operator/find-alarms.ts';
import { textsIn } from '../../../src/texts/languages.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';

let api: TestApi;
let merchant: TestMerchant;
before(async () => {
  api = await openTestApi();
});
after(() => api.stop());
beforeEach(async () => {
  await api.world.sql`delete from bank_verdicts`;
  merchant = await addTestMerchant(api.world, { account: { bank: 'hdfc' } });
});

const now = () => api.world.clock.now();

async function counted(daysAgo: number, verdict: string, mails: number, bank = 'hdfc') {
  await api.world.sql`
    insert into bank_verdicts (bank, day, verdict, mails)
    values (${bank}, (${later(now(), -daysAgo * day)}::timestamptz at time zone 'Asia/Kolkata')::date, ${verdict}, ${mails})`;
}

test('a bank with five credits in fourteen days, then ten mails without one, is reported, and not a mail earlier', async () => {
  await counted(3, 'paid', 3);
  await counted(9, 'no_order', 2);
  await counted(2, 'unreadable', 5);
  await counted(1, 'not_a_credit', 4);
  await counted(1, 'forged', 500);
  assert.deepEqual(
    await selectQuietBanks(api.world.sql, now()),
    [],
    'nine mails, and forged ones do not count',
  );
  await counted(0, 'unreadable', 1);
  assert.deepEqual(await selectQuietBanks(api.world.sql, now()), [{ bank: 'hdfc', mails: 10 }]);
  const alarms = await alarmsOfAll(api.world, now());
  assert.deepEqual(
    alarms.find(({ name }) => name === 'MilaanBankQuiet'),
    { name: 'MilaanBankQuiet', facts: { bank: 'hdfc', count: 10 } },
  );
  await counted(0, 'duplicate', 1);
  assert.deepEqual(await selectQuietBanks(api.world.sql, now()), [], 'a credit ends it');
});

test('a quiet week, few credits before, and an earlier silence report nothing', async () => {
  await counted(8, 'paid', 40);
  assert.deepEqual(await selectQuietBanks(api.world.sql, now()), [], 'no mails at all');
  await counted(2, 'paid', 4, 'axis');
  await counted(17, 'paid', 40, 'axis');
  await counted(1, 'unreadable', 40, 'axis');
  assert.deepEqual(await selectQuietBanks(api.world.sql, now()), [], 'four credits in the fourteen days');
  await counted(43, 'paid', 40, 'sbi');
  await counted(1, 'unreadable', 40, 'sbi');
  assert.deepEqual(await selectQuietBanks(api.world.sql, now()), [], 'silent for six weeks');
});

let mails = 0;
async function mailed(
  hoursAgo: number,
  verdict: string,
  { bank = 'hdfc', signedBy = 'hdfcbank.bank.in' as string | null } = {},
) {
  const { sql } = api.world;
  await sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, bank, signing_domain)
    values (${merchant.merchantId}, ${`quiet_${++mails}`}, 3, ${later(now(), -hoursAgo * hour)}, 'test', ${verdict}, ${bank}, ${signedBy})`;
}

test('a business is notified only if a customer has also claimed to have paid since then', async () => {
  const { sql } = api.world;
  const texts = textsIn('en');
  const toDo = async () =>
    (await findToDo(api.world, merchant.merchantId, texts)).flatMap(({ who, what }) =>
      who === texts.toDo.quietBank ? [what] : [],
    );
  for (let count = 0; count < 5; count++) await mailed(50 + count, 'paid');
  for (let count = 0; count < 9; count++) await mailed(20 - count, 'unreadable');
  for (let count = 0; count < 20; count++) await mailed(10, 'unreadable', { signedBy: null });
  for (let count = 0; count < 20; count++) await mailed(10, 'unreadable', { bank: 'axis' });
  const { order_id: orderId } = (await api.create({}, merchant.apiKey)).json();
  const claim = () => sql`
    insert into claimed_references (merchant_id, order_id, bank_reference, claimed_at)
    values (${merchant.merchantId}, ${orderId}, '690000000777', ${now()})`;
  await claim();
  assert.deepEqual(
    await findQuietBanks(sql, merchant.merchantId, now()),
    [],
    'nine mails of the bank itself',
  );
  await mailed(1, 'not_a_credit');
  assert.deepEqual(await findQuietBanks(sql, merchant.merchantId, now()), [{ bank: 'hdfc', mails: 10 }]);
  assert.deepEqual(await toDo(), [texts.toDo.quietBankText({ count: 10 })]);
  await sql`delete from claimed_references where merchant_id = ${merchant.merchantId}`;
  assert.deepEqual(await toDo(), [], 'nobody says so');
  await claim();
  await mailed(0.5, 'wrong_account');
  assert.deepEqual(await toDo(), [], 'a mail that tells of money was read');
  const other = await addTestMerchant(api.world, { account: { bank: 'hdfc' } });
  assert.deepEqual(await findQuietBanks(sql, other.merchantId, now()), []);
});

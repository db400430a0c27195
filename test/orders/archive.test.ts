import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { day } from '../../src/base/clock.ts';
import { readPlans, storePlans } from '../../src/business/merchants/plans.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { keepHistory } from '../../src/orders/history/keep-history.ts';
import { listArchives, readArchive } from '../../src/orders/history/queries/archives.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { addTestMerchant, type TestMerchant } from '../support/test-world.ts';
import { prepare, use } from '../support/use.ts';

let shop: TestMerchant;
const api = use(openTestApi);
prepare(async () => {
  const plan = readPlans(null)[0]!;
  await storePlans(api.world.sql, [plan, { ...plan, plan: 'month', history_days: 30 }]);
  shop = await addTestMerchant(api.world, { plan: 'month' });
});

async function csvOf(month: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of (await readArchive(api.world, shop.merchantId, month)) ?? []) parts.push(part);
  return gunzipSync(Buffer.concat(parts)).toString();
}

async function archiveOrders(world: TestApi['world']) {
  const { archived, removed } = await keepHistory(world);
  return { archived, removed };
}

test('orders enter the monthly archive a day before they are hidden, one row each, and are deleted two weeks later', async () => {
  const { clock, sql } = api.world;
  clock.set('2026-10-30T10:00:00.000Z');
  for (const id of ['=1+1', 'a,"b"', '-x', 'plain'])
    await api.create({ merchant_order_id: id, customer: { name: '@cmd' } }, shop.apiKey);
  clock.set('2026-11-02T10:00:00.000Z');
  await api.create({ merchant_order_id: 'november' }, shop.apiKey);

  clock.set('2026-11-28T09:59:59.999Z');
  assert.deepEqual(await archiveOrders(api.world), { archived: 0, removed: 0 });
  clock.advance(1);
  assert.deepEqual(await archiveOrders(api.world), { archived: 4, removed: 0 });
  assert.equal((await api.get('/orders', shop.apiKey)).json().data.length, 5, 'still there for a day');
  assert.deepEqual(await archiveOrders(api.world), { archived: 0, removed: 0 });

  const rows = (await csvOf('2026-10')).trimEnd().split('\r\n');
  assert.match(rows[0] ?? '', /^order_id,merchant_order_id,amount,payable_amount,status,/);
  const ids = rows.slice(1).map(row => row.split(',').slice(1, -2).join(','));
  assert.deepEqual(ids.map(id => id.replace(/,499\.00.*/, '')).sort(), [
    '"a,""b"""',
    "'-x",
    "'=1+1",
    'plain',
  ]);
  assert.ok(
    rows.slice(1).every(row => row.includes(",'@cmd,")),
    'no cell is a formula',
  );

  clock.advance(day);
  assert.equal((await api.get('/orders', shop.apiKey)).json().data.length, 1, 'hidden');
  assert.deepEqual(await archiveOrders(api.world), { archived: 0, removed: 0 });

  clock.set('2026-12-03T10:00:00.000Z');
  assert.deepEqual(await archiveOrders(api.world), { archived: 1, removed: 0 });
  clock.set('2026-12-13T09:59:59.999Z');
  assert.deepEqual(await archiveOrders(api.world), { archived: 0, removed: 0 });
  clock.advance(1);
  assert.deepEqual(await archiveOrders(api.world), { archived: 0, removed: 4 });
  assert.equal((await sql`select from orders where merchant_id = ${shop.merchantId}`).length, 1);
  clock.set('2026-12-17T10:00:00.000Z');
  assert.deepEqual(await archiveOrders(api.world), { archived: 0, removed: 1 });
  assert.deepEqual(
    (await listArchives(sql, shop.merchantId)).map(({ month, orders }) => [month, orders]),
    [
      ['2026-11', 1],
      ['2026-10', 4],
    ],
  );
});

test('a month written in several parts is one gzip file with one header line', async () => {
  const { clock } = api.world;
  clock.set('2027-01-05T10:00:00.000Z');
  await api.create({ merchant_order_id: 'part-1' }, shop.apiKey);
  clock.advance(29 * day);
  await archiveOrders(api.world);
  clock.set('2027-01-20T10:00:00.000Z');
  await api.create({ merchant_order_id: 'part-2' }, shop.apiKey);
  clock.advance(31 * day);
  await archiveOrders(api.world);
  const csv = await csvOf('2027-01');
  assert.equal(csv.split('order_id,merchant_order_id').length, 2);
  assert.match(csv, /part-1[\s\S]*part-2/);
});

test('the money of deleted orders stays in the month’s count, and the rules hold', async () => {
  const { clock, sql } = api.world;
  clock.set('2027-05-10T10:00:00.000Z');
  const { order_id } = (await api.create({ amount: 90 }, shop.apiKey)).json();
  await sql`update orders set status = 'paid', paid_at = ${clock.now()}, alert_id = 'alert-of-the-archive-test', received_paise = payable_paise where order_id = ${order_id}`;
  await sql`insert into collections (merchant_id, month, collected_paise)
    select merchant_id, '2027-05-01', payable_paise from orders where order_id = ${order_id}`;
  await archiveOrders(api.world);
  clock.advance(44 * day);
  assert.deepEqual(await archiveOrders(api.world), { archived: 1, removed: 1 });
  assert.deepEqual(await findBreaches(api.world), []);
  await sql`update collections set collected_paise = collected_paise + 1 where merchant_id = ${shop.merchantId} and month = '2027-05-01'`;
  assert.match((await findBreaches(api.world)).join(), /collections: merchant \d+ 2027-05-01/);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { day } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { type KeptKind, whatIsKept } from '../../../src/base/retention.ts';
import { writeCountsOrderless } from '../../../src/business/merchants/queries.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import { keepPartitions } from '../../../src/orders/history/keep-partitions.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { endCredit } from '../../../src/payments/review/decide-by-hand.ts';
import { textsIn } from '../../../src/texts/languages.ts';
import { openTestApi } from '../../support/api.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { addTestUser, type Caller, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { settleWindows } from '../../support/settle-windows.ts';
import { prepare, use } from '../../support/use.ts';

let owner: Caller;
const api = use(openTestApi);
prepare(async () => {
  await keepPartitions(api.world, false);
});
const site = use(() => openDashboard(api.world));
prepare(async () => {
  await signIn();
});

/** Sign in again after the clock moved, because a session expires. */
async function signIn(): Promise<void> {
  owner = await callAs(site, api.world, await addTestUser(api.world, api.merchant.merchantId, 'owner'));
}

const { kept } = textsIn('en');

async function auditEntries(): Promise<[string, string, string][]> {
  const rows = await api.world.sql<{ action: string; subject: string; details: string }[]>`
    select action, subject, details from audit_log where merchant_id = ${api.merchant.merchantId} order by seq`;
  return rows.map(({ action, subject, details }) => [action, subject, details]);
}

const deletedBy = {
  history: 'the worker that keeps history',
  accounts: 'the worker that looks after accounts',
  mail: 'the program that reads mailboxes',
  web: 'the program itself',
  operator: 'the operator',
};

test('the documentation has the program’s table, row for row', () => {
  const rows = (Object.keys(whatIsKept) as KeptKind[]).map(kind => {
    const { days, by, ...rest } = whatIsKept[kind];
    const howLong = typeof days === 'number' ? kept.days({ count: days }) : kept.retention[days];
    const floor = 'floor' in rest ? kept.atLeast({ floor: rest.floor }) : '–';
    return [kept.kinds[kind].what, howLong, floor, kept.kinds[kind].why, deletedBy[by]];
  });
  const documented = readFileSync('docs/privacy.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line =>
      line
        .slice(1, -1)
        .split('|')
        .map(cell => cell.trim()),
    );
  assert.deepEqual(
    rows
      .filter(row => !documented.some(one => one.join('|') === row.join('|')))
      .map(row => `| ${row.join(' | ')} |`),
    [],
  );
});

test('an owner chooses a period within the limits and is notified, and nothing is deleted for 14 days', async () => {
  const { sql } = api.world;
  const path = '/dashboard/settings/kept';
  const shown = '/dashboard/shop/privacy';
  const page = await owner.get(shown);
  for (const kind of Object.keys(whatIsKept) as KeptKind[])
    assert.ok(page.body.includes(kept.kinds[kind].what), kind);
  const refused = await owner.post(path, { raw_mails: '20', claims: '8' });
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /whole number of days within these bounds/);
  assert.equal((await owner.post(path, { raw_mails: '60', claims: '', webhook_bodies: '' })).statusCode, 303);
  const [row] = await sql`select keeps from merchants where merchant_id = ${api.merchant.merchantId}`;
  assert.deepEqual(row?.['keeps'], { raw_mails: 60 });
  const after = await owner.get(shown);
  assert.match(after.body, /nothing is deleted by it before .*29 Nov 2026/s);
  assert.match(after.body, />60 days<br>/);
  assert.deepEqual((await auditEntries()).at(-1), ['keep.choose', 'raw_mails 60', '']);
  const manager = await callAs(
    site,
    api.world,
    await addTestUser(api.world, api.merchant.merchantId, 'manager'),
  );
  assert.ok(!(await manager.get(shown)).body.includes('Keep for a shorter time'));
});

test('a register matches the month’s counter, before and after its orders were deleted', async () => {
  const { world, merchant } = api;
  const { sql, clock } = world;
  const { merchantId, accountId } = merchant;
  // Ten minutes before a new month in India: an order of the old month is paid in the new one.
  clock.set('2026-11-30T18:20:00.000Z');
  const late = (await api.create({ merchant_order_id: 'late' })).json();
  const paidIn = async (order: { payable_amount: number }) => {
    const credit = await storedCredit(world, merchantId, { amount: payableOf(order) });
    assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  };
  const first = (await api.create({ merchant_order_id: 'first' })).json();
  await paidIn(first);
  clock.set('2026-11-30T18:31:00.000Z');
  await paidIn(late);
  await writeCountsOrderless(sql, merchantId, accountId, true);
  const orderless = await storedCredit(world, merchantId, { amount: paise(1_000_00) });
  await confirmPayment(world, orderless);
  await sql`update alerts set signing_domain = 'hdfcbank.bank.in', recipient = 'shop@example.com' where alert_id = ${orderless.alertId}`;
  await writeCountsOrderless(sql, merchantId, accountId, false);
  const stray = await storedCredit(world, merchantId, { amount: paise(55_55) });
  await confirmPayment(world, stray);
  const who = { merchantId, actor: 'owner@shop.example', address: '', now: clock.now() };
  const end = (alertId: string, how: 'given_back' | 'kept') =>
    world.sql.begin(tx => endCredit(tx, who, { alertId, end: how, returnReference: null, note: '' }));
  assert.equal(await end(orderless.alertId, 'given_back'), null);
  assert.equal(await end(stray.alertId, 'kept'), null);
  await sql`
    insert into statement_marks (merchant_id, order_id, alert_id, bank, day, state, marked_by, marked_at)
    select merchant_id, order_id, alert_id, 'hdfc', '2026-12-01', 'missing', 'owner', ${clock.now()} from orders where order_id = ${late.order_id}`;
  await signIn();
  const read = async (period: string) => {
    const answer = await owner.get(`/dashboard/reports/register.csv?period=${period}`);
    return answer.body.split('\r\n').slice(1, -1);
  };
  const [vpa] = (
    await sql<{ vpa: string }[]>`select vpa from upi_accounts where account_id = ${accountId}`
  ).map(one => one.vpa);
  const sum = (order: { payable_amount: number }) => order.payable_amount.toFixed(2);
  const december = (late.payable_amount + 1000).toFixed(2);
  const expected = [
    `2026-11,${vpa},1,${sum(first)},0,0.00,${sum(first)},0,0.00,0,0.00,0,0.00,0,0.00`,
    `2026-12,${vpa},1,${sum(late)},1,1000.00,${december},1,1000.00,1,55.55,1,${sum(late)},0,0.00`,
  ];
  assert.deepEqual([...(await read('2026-11')), ...(await read('2026-12'))], expected);
  assert.deepEqual(await read('2026'), expected);
  assert.deepEqual(await read('2025'), []);
  const [month] =
    await sql`select collected_paise::int as paise from collections where merchant_id = ${merchantId} and month = '2026-12-01'`;
  assert.equal(month?.['paise'], Math.round((late.payable_amount + 1000) * 100));

  await sql`insert into plans (plan, history_days) values ('week', 7)`;
  await sql`update merchants set plan = 'week' where merchant_id = ${merchantId}`;
  await settleWindows(sql);
  clock.advance(30 * day);
  await signIn();
  assert.equal((await keepHistory(world)).removed, 2);
  assert.deepEqual(await read('2026'), expected);
  assert.deepEqual(await findBreaches(world), []);
  // The previous release removed this order without noting accounts: the money remains, and is marked so.
  await sql`delete from removed_orders where month = '2026-11-01'`;
  assert.deepEqual(await read('2026-11'), [
    `2026-11,,0,${sum(first)},0,0.00,${sum(first)},0,0.00,0,0.00,0,0.00,0,0.00`,
  ]);
  const page = await owner.get('/dashboard/reports/year?period=2026');
  assert.match(page.body, /Financial year 2026–27/);
  assert.match(page.body, /No UPI ID noted/);
  assert.equal((await owner.get('/dashboard/reports/month?period=2026-13')).statusCode, 400);
});

test('a download of orders, an archive or the register is in the audit log, without the searched words', async () => {
  const before = (await auditEntries()).length;
  await owner.get('/dashboard/orders/export.csv?q=asha%40okbank&status=paid');
  const [archive] = await api.world
    .sql`select to_char(month, 'YYYY-MM') as month from order_archives limit 1`;
  await owner.get(`/dashboard/orders/archives/${archive?.['month']}.csv`);
  await owner.get('/dashboard/reports/register.csv?period=2026');
  await owner.get('/dashboard/orders/archives/1999-01.csv');
  assert.deepEqual((await auditEntries()).slice(before), [
    ['orders.export', '', 'status=paid'],
    ['archive.export', archive?.['month'], ''],
    ['register.export', '2026', ''],
  ]);
  const [reads] = await api.world.sql`
    insert into key_reads (merchant_id, key_id, day, reads)
    select merchant_id, key_id, (${api.world.clock.now()}::timestamptz at time zone 'Asia/Kolkata')::date, 1234 from api_keys returning reads::int`;
  assert.equal(reads?.['reads'], 1234);
  assert.match((await owner.get('/dashboard/integrations')).body, /1,234 today, 1,234 in 30 days/);
});

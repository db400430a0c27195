import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { endMailboxes } from '../../../src/alerts/mailboxes/connect-mailbox.ts';
import { day, minute } from '../../../src/base/clock.ts';
import { tablesOfAMerchant } from '../../../src/business/accounts/queries/merchants.ts';
import { removeMerchants } from '../../../src/business/accounts/remove-merchants.ts';
import { createApiKey } from '../../../src/business/merchants/create-api-key.ts';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { orderRoutes } from '../../../src/orders/routes.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { callAs, openDashboard } from '../../support/dashboard-site.ts';
import { rowsOf } from '../../support/rows-of.ts';
import { tablesOfTheInstallation } from '../../support/tables-of-the-installation.ts';
import { openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() => openDashboard(world, app => orderRoutes(app, world)));

async function apiStatus(apiKey: string): Promise<number> {
  return (await site.app.inject({ url: '/api/v1/orders', headers: { 'x-api-key': apiKey } })).statusCode;
}

test('leaving: keys answer 403 at once, the mailbox and its password are deleted at once, the rest stays', async () => {
  const merchant = await fillMerchant(world);
  const { apiKey } = await createApiKey(world.sql, world, merchant.merchantId, 'shop');
  await world.sql`update orders set status = 'failed' where merchant_id = ${merchant.merchantId}`;
  const owner = await callAs(site, world, merchant.users.owner);
  assert.equal(await apiStatus(apiKey), 200);
  const wrong = await owner.post('/dashboard/settings/delete', { name: 'another name' });
  assert.equal(wrong.statusCode, 400);
  assert.equal(await apiStatus(apiKey), 200);
  assert.equal((await owner.post('/dashboard/settings/delete', { name: merchant.name })).statusCode, 303);
  assert.equal(await apiStatus(apiKey), 403);
  const rows = await rowsOf(world, merchant.merchantId);
  assert.equal(rows['mailboxes'], '');
  assert.notEqual(rows['orders'], '');
  assert.match(rows['notices']!, /deletion_asked/);
  const page = await owner.get('/dashboard/shop/privacy');
  assert.match(page.body, /2026-11-22/);
  assert.match(page.body, /about to be deleted/);
});

test('an owner leaves with a file of everything, and opens the business again', async () => {
  const merchant = await fillMerchant(world);
  await world.sql`delete from deliveries_in_hand where merchant_id = ${merchant.merchantId}`;
  const { apiKey } = await createApiKey(world.sql, world, merchant.merchantId, 'shop');
  const owner = await callAs(site, world, merchant.users.owner);
  const leave = '/dashboard/settings/leave';
  assert.equal((await owner.get(`${leave}/file`)).statusCode, 404, 'not before it is closed');
  assert.equal((await owner.post(leave, { name: 'another name' })).statusCode, 400);
  assert.equal(await apiStatus(apiKey), 200);
  await world.sql`
    insert into erasures (merchant_id, erasure_id, asked_at, asked_by, marks, watch_until)
    values (${merchant.merchantId}, 'er_open', ${world.clock.now()}, 'o@x.in', '{}', ${world.clock.now()})`;
  const { headers } = await owner.post(leave, { name: merchant.name });
  assert.equal(headers.location, '/dashboard/shop/privacy');
  assert.match(
    JSON.stringify(headers) + (await owner.get('/dashboard/shop/privacy')).body,
    /still being erased/,
  );
  assert.equal(await apiStatus(apiKey), 200, 'not closed while a customer is being erased');
  await world.sql`delete from erasures where erasure_id = 'er_open'`;
  assert.equal((await owner.post(leave, { name: merchant.name })).headers.location, leave);
  assert.equal(await apiStatus(apiKey), 403);
  assert.equal((await owner.post('/dashboard/settings/name', { name: 'Elsewhere' })).statusCode, 403);
  assert.match((await owner.get(leave)).body, /Download the file/);
  assert.match((await owner.get('/dashboard/shop/privacy')).body, /has left with everything/);
  const file = await owner.get(`${leave}/file`, { 'accept-encoding': 'gzip' });
  assert.equal(file.headers['content-encoding'], undefined);
  const text = gunzipSync(file.rawPayload).toString('latin1');
  assert.ok(text.includes(merchant.examples['orderid']!) && text.includes('end.json'));
  const { audit_log } = await rowsOf(world, merchant.merchantId);
  assert.match(audit_log!, /business\.export[\s\S]*business\.export_file/);
  assert.equal((await owner.post(`${leave}/undo`)).statusCode, 303);
  assert.equal(await apiStatus(apiKey), 200);
  assert.equal((await owner.post(`${leave}/undo`)).statusCode, 303, 'a second time changes nothing');
});

test('leaving and an operator’s halt are separate: neither locks an owner out of the other, nor lifts it', async () => {
  const { sql, clock } = world;
  const leave = '/dashboard/settings/leave';
  // The halt by a process whose clock is ahead, before leaving or behind it; of new orders, or of all.
  for (const [halt, first] of [
    ['orders', true],
    ['all', true],
    ['orders', false],
    ['all', false],
  ] as const) {
    const merchant = await fillMerchant(world);
    const { merchantId, name } = merchant;
    await sql`delete from deliveries_in_hand where merchant_id = ${merchantId}`;
    const { apiKey } = await createApiKey(sql, world, merchantId, 'shop');
    const [owner, operator] = [
      await callAs(site, world, merchant.users.owner),
      await callAs(site, world, merchant.users.operator),
    ];
    const page = `/dashboard/operator/businesses/${merchantId}`;
    const disable = async () => {
      await operator.post(`${page}/disable`, { halt, reason: 'selling air' });
      await sql`update merchants set disabled_at = disabled_at + interval '1 s' where merchant_id = ${merchantId}`;
    };
    const steps = [disable, () => owner.post(leave, { name })];
    for (const step of first ? steps : steps.reverse()) await step();
    assert.equal(await apiStatus(apiKey), 403);
    const statuses = [leave, `${leave}/file`, '/dashboard/shop/privacy'].map(path => owner.get(path));
    assert.deepEqual(
      (await Promise.all(statuses)).map(({ statusCode }) => statusCode),
      [200, 200, 200],
    );
    assert.match((await operator.get(page)).body, /was moved away[\s\S]*Enable/);
    assert.equal((await owner.post(`${leave}/undo`)).statusCode, 303);
    assert.equal(await apiStatus(apiKey), halt === 'all' ? 403 : 200);
    const [row] = await sql`
      select left_at, moved_at, disabled_at > ${clock.now()} as halted, no_new_orders, disabled_reason
      from merchants where merchant_id = ${merchantId}`;
    const kept = { halted: true, no_new_orders: halt === 'orders', disabled_reason: 'selling air' };
    assert.deepEqual({ ...row }, { left_at: null, moved_at: null, ...kept });
  }
});

test('while a customer may be paying, the mailbox is read until the last open order ends, and no longer', async () => {
  const merchant = await fillMerchant(world);
  const owner = await callAs(site, world, merchant.users.owner);
  const start = world.clock.now();
  const mailbox = async () => (await rowsOf(world, merchant.merchantId))['mailboxes'];
  await owner.post('/dashboard/settings/delete', { name: merchant.name });
  world.clock.advance(17 * minute - 1);
  await endMailboxes(world);
  assert.match((await mailbox())!, /sealed/);
  world.clock.advance(1);
  await endMailboxes(world);
  assert.equal(await mailbox(), '');
  world.clock.set(start);
});

test('an owner can cancel within seven days, and the keys work again', async () => {
  const merchant = await fillMerchant(world);
  const { apiKey } = await createApiKey(world.sql, world, merchant.merchantId, 'shop');
  const start = world.clock.now();
  const owner = await callAs(site, world, merchant.users.owner);
  await owner.post('/dashboard/settings/delete', { name: merchant.name });
  world.clock.advance(7 * day - 1);
  await removeMerchants(world);
  const back = await callAs(site, world, merchant.users.owner);
  assert.equal((await back.post('/dashboard/settings/delete/cancel')).statusCode, 303);
  assert.equal(await apiStatus(apiKey), 200);
  world.clock.advance(2 * day);
  await removeMerchants(world);
  assert.equal(await apiStatus(apiKey), 200);
  world.clock.set(start);
});

test('after seven days no table has a row of the business, other businesses keep theirs, and the operator can read that it left', async () => {
  const [leaving, staying] = [await fillMerchant(world), await fillMerchant(world)];
  const owner = await callAs(site, world, leaving.users.owner);
  await owner.post('/dashboard/settings/delete', { name: leaving.name });
  // The request to delete removed some rows; put them back, so that every table has something to lose.
  const now = world.clock.now();
  await world.sql`insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${leaving.merchantId}, 'other', 'again@mail.example', 'a', 'imap.mail.example', 993, 'sealed', 1, ${now})
    on conflict do nothing`;
  const others = await rowsOf(world, staying.merchantId);
  world.clock.advance(7 * day);
  assert.ok((await removeMerchants(world)).merchants >= 1);
  const tables = await world.sql<{ table_name: string }[]>`
    select c.relname as table_name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'merchant_id' and c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p') and not c.relispartition`;
  for (const { table_name } of tables) {
    const rows = await world.sql.unsafe(`select * from ${table_name} where merchant_id = $1`, [
      leaving.merchantId,
    ]);
    assert.deepEqual(rows, [], table_name);
  }
  assert.deepEqual(await rowsOf(world, staying.merchantId), others);
  const lines = await world.sql`
    select from audit_log
    where merchant_id = 0 and action = 'business.removed' and subject = ${String(leaving.merchantId)}`;
  assert.equal(lines.length, 1);
  assert.equal((await owner.get('/dashboard/account')).statusCode, 303);
});

test('the previous release, which has no notes and reports, deletes a business that has them', async () => {
  const { sql, clock } = world;
  const merchantId = await createMerchant(sql, world, { name: 'Old', plan: 'standard' });
  const now = clock.now();
  await sql`insert into business_notes (merchant_id, written_at, author, note) values (${merchantId}, ${now}, 'o', 'n')`;
  await sql`insert into page_reports (merchant_id, order_id, reported_at, note) values (${merchantId}, 'ML-1', ${now}, '')`;
  await sql`delete from history_progress where merchant_id = ${merchantId}`;
  await assert.doesNotReject(sql`delete from merchants where merchant_id = ${merchantId}`);
});

test('a signature that counted for a deleted business never counts again', async () => {
  const leaving = await fillMerchant(world);
  const [signature] =
    await world.sql`select signature_id from counted_signatures where merchant_id = ${leaving.merchantId}`;
  await world.sql`update merchants set deletion_requested_at = created_at where merchant_id = ${leaving.merchantId}`;
  world.clock.advance(7 * day);
  await removeMerchants(world);
  const kept = await world.sql`
    select merchant_id, alert_id, settled from counted_signatures where signature_id = ${signature!['signature_id']}`;
  assert.deepEqual(
    kept.map(row => ({ ...row })),
    [{ merchant_id: 0, alert_id: '', settled: true }],
  );
});

test('an interrupted removal continues, and verify ignores a half-removed business', async () => {
  const leaving = await fillMerchant(world);
  await world.sql`update merchants set deletion_requested_at = created_at where merchant_id = ${leaving.merchantId}`;
  world.clock.advance(7 * day);
  let steps = 0;
  while (!(await removeMerchants(world, () => ++steps % 5 === 0)).isDone) {
    assert.deepEqual(
      (await findBreaches(world)).filter(line => line.includes(String(leaving.merchantId))),
      [],
    );
  }
  assert.ok(steps > 10);
  assert.equal((await world.sql`select from merchants where merchant_id = ${leaving.merchantId}`).length, 0);
});

test('the tables to clear are exactly those that name a business', async () => {
  const rows = await world.sql<{ table_name: string }[]>`
    select c.relname as table_name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'merchant_id' and c.relnamespace = 'public'::regnamespace
      and c.relkind in ('r', 'p') and not c.relispartition`;
  // A signature is kept without its business (see the test above).
  const others = ['counted_signatures', ...Object.keys(tablesOfTheInstallation)];
  const wanted = rows.map(row => row.table_name).filter(name => !others.includes(name));
  assert.deepEqual([...tablesOfAMerchant].sort(), wanted.sort());
});

test('the audit log cannot be changed, and verify finds a change that was made anyway', async () => {
  const { merchantId } = await fillMerchant(world);
  const chain = async () =>
    (await findBreaches(world)).filter(line => line.includes(String(merchantId)) && line.startsWith('audit'));
  await assert.rejects(
    world.sql`update audit_log set actor = 'somebody else' where merchant_id = ${merchantId}`,
    /append-only/,
  );
  await assert.rejects(world.sql`delete from audit_log where merchant_id = ${merchantId}`, /append-only/);
  const owner = await callAs(site, world, (await fillMerchant(world)).users.owner);
  assert.equal((await owner.get('/dashboard/audit')).statusCode, 200);
  assert.deepEqual(await chain(), []);
  await world.sql.unsafe('alter table audit_log disable trigger audit_log_stays');
  await world.sql`update audit_log set actor = 'somebody else' where merchant_id = ${merchantId}`;
  assert.match((await chain()).join(), /row 1 was changed/);
  await world.sql`delete from audit_log where merchant_id = ${merchantId}`;
  assert.match((await chain()).join(), /it ends at 0, but 2 rows were written/);
  await world.sql.unsafe('alter table audit_log enable trigger audit_log_stays');
});

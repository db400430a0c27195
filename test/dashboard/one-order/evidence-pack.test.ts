import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hour, minute } from '../../../src/base/clock.ts';
import { addTestUser, callAs, type DashboardSite, openDashboard } from '../../support/dashboard-site.ts';
import { doubtedShop, newKey, oldKey } from '../../support/doubted-shop.ts';
import { needs } from '../../support/needs.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const { test, after, beforeEach } = needs('dkimpy', 'Python');

const shop = doubtedShop();
let site: DashboardSite;
const folders: string[] = [];
beforeEach(async () => {
  site ??= await openDashboard(shop.api.world);
});
after(async () => {
  await site.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const as = async (role: 'owner' | 'manager', merchantId = shop.merchant.merchantId) =>
  await callAs(site, shop.api.world, await addTestUser(shop.api.world, merchantId, role));

/** An order that the bank's signed mail paid. */
async function paid(change: Record<string, string> = {}, customer = { name: 'Asha <b>Rao</b>' }) {
  shop.publish('s1', newKey);
  const { api, merchant } = shop;
  const order = (await api.create({ customer }, merchant.apiKey)).json();
  await shop.mail(order.payable_amount, { key: newKey, change });
  await shop.judge();
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  return order.order_id as string;
}
const path = (orderId: string) => `/dashboard/orders/${orderId}/evidence`;

/** Unpacked by Python's zipfile, which looks at every sum. */
function unpack(zip: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  folders.push(folder);
  writeFileSync(join(folder, 'pack.zip'), zip);
  const script = `import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])`;
  execFileSync('/usr/bin/python3', ['-c', script, join(folder, 'pack.zip'), join(folder, 'out')]);
  return join(folder, 'out');
}

async function packOf(orderId: string): Promise<string> {
  const answer = await (await as('owner')).post(path(orderId));
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-disposition'], `attachment; filename="evidence-${orderId}.zip"`);
  return unpack(answer.rawPayload);
}

const verified = (folder: string) => spawnSync('/usr/bin/python3', [join(folder, 'verify.py')]).status === 0;
const pageOf = (folder: string) => readFileSync(join(folder, 'evidence.html'), 'utf8');

test('another program proves the pack’s mail with the pack’s key, also after DNS has another key', async () => {
  const orderId = await paid();
  shop.publish('s1', oldKey);
  const folder = await packOf(orderId);
  const files = ['SHA256SUMS', 'dkim-key.txt', 'evidence.html', 'mail.eml', 'verify.py'];
  assert.deepEqual(readdirSync(folder).sort(), files);
  execFileSync('/usr/bin/sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder });
  // Not by our script: the record alone, given to the library.
  const own = `import sys, dkim
record = open('dkim-key.txt', 'rb').read().split(b'"')[1]
sys.exit(0 if dkim.verify(open('mail.eml', 'rb').read(), dnsfunc=lambda name, timeout=5: record) else 1)`;
  execFileSync('/usr/bin/python3', ['-c', own], { cwd: folder });
  assert.ok(verified(folder));
  const mail = readFileSync(join(folder, 'mail.eml'), 'latin1');
  writeFileSync(join(folder, 'mail.eml'), mail.replace('credited to your', 'credited  to  our'), 'latin1');
  assert.ok(!verified(folder), 'and a changed mail is not');
});

test('the page says all of it in both languages, as text; the audit log says who took it', async () => {
  const orderId = await paid();
  const folder = await packOf(orderId);
  const page = pageOf(folder);
  for (const words of [
    '<section lang="en">',
    '<section lang="hi">',
    'it became paid by that',
    'इसे कैसे जाँचें',
    'payment.paid, 1',
    orderId,
  ])
    assert.ok(page.includes(words), words);
  assert.ok(page.includes('Asha &lt;b&gt;Rao&lt;/b&gt;') && !page.includes('<b>Rao'));
  assert.doesNotMatch(page, /<script|src=|href=|url\(/, 'and fetches nothing');
  const [entry] = await shop.api.world.sql`
    select actor, subject, details from audit_log where action = 'evidence.export' and subject = ${orderId}`;
  assert.match(entry!['details'], /^[0-9a-f]{64}$/);
});

test('if Gmail replaced the Message-ID, the page also has the mail as it was signed', async () => {
  const orderId = await paid({ 'Message-ID': '123@no-brackets' });
  const { sql } = shop.api.world;
  const { deflateSync, inflateSync } = await import('node:zlib');
  const [row] =
    await sql`select raw, alert_id from raw_mails where merchant_id = ${shop.merchant.merchantId}`;
  const arrived = inflateSync(row!['raw'])
    .toString('latin1')
    .replace(
      /^Message-ID: (.*)\r\n/m,
      'Message-ID: <a.SMTPIN_ADDED_BROKEN@mx.google.com>\r\nX-Google-Original-Message-ID: $1\r\n',
    );
  await sql`update raw_mails set raw = ${deflateSync(Buffer.from(arrived, 'latin1'))} where alert_id = ${row!['alert_id']}`;
  const folder = await packOf(orderId);
  assert.ok(verified(folder));
  assert.match(pageOf(folder), /Gmail replaced/);
  assert.equal(readFileSync(join(folder, 'mail.eml'), 'latin1'), arrived);
});

test('a mail that is no longer kept is described as deleted, and its facts stay', async () => {
  const orderId = await paid();
  await shop.api.world.sql`delete from raw_mails where merchant_id = ${shop.merchant.merchantId}`;
  const folder = await packOf(orderId);
  assert.deepEqual(readdirSync(folder).sort(), ['SHA256SUMS', 'evidence.html']);
  assert.match(pageOf(folder), /The raw mail is no longer kept/);
});

test('an order that a person paid with a credit says who, when and why', async () => {
  shop.publish('s1', newKey);
  const { api, merchant } = shop;
  const alertId = await shop.mail(431, { key: newKey });
  await shop.judge();
  const order = (await api.create({}, merchant.apiKey)).json();
  const manager = await as('manager');
  const accept = `/dashboard/money/${alertId}/orders/${order.order_id}/accept`;
  await manager.post(accept, { note: 'paid at the door' });
  assert.equal(await shop.statusOf(order.order_id), 'paid');
  const { body } = await manager.get(`/dashboard/orders/${order.order_id}`);
  assert.doesNotMatch(body.slice(body.indexOf('id="money"')), /To decide/);
  const page = pageOf(await packOf(order.order_id));
  assert.match(page, /decided that it belongs to this order/);
  assert.match(page, /paid at the door/);
});

test('only the owner has the pack, with a fresh sign-in, for the business’s paid orders', async () => {
  const orderId = await paid();
  const manager = await as('manager');
  assert.equal((await manager.post(path(orderId))).statusCode, 403);
  assert.doesNotMatch((await manager.get(`/dashboard/orders/${orderId}`)).body, /evidence-pack/);
  const other = await addTestMerchant(shop.api.world);
  assert.equal((await (await as('owner', other.merchantId)).post(path(orderId))).statusCode, 404);
  const owner = await as('owner');
  assert.match((await owner.get(`/dashboard/orders/${orderId}`)).body, /Download the evidence/);
  const open = await shop.order();
  assert.equal((await owner.post(path(open.order_id))).statusCode, 404);
  shop.api.world.clock.advance(11 * minute);
  assert.notEqual((await owner.post(path(orderId))).statusCode, 200);
  assert.doesNotMatch((await owner.get(`/dashboard/orders/${orderId}`)).body, /Download the evidence/);
  shop.api.world.clock.advance(1 * hour);
});

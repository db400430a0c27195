import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailReports } from '../../../src/operator/running/start-reporting.ts';
import { addTestOrder, openSite } from '../../support/checkout-site.ts';
import { addTestUser } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(() =>
  openTestWorld({
    TRUST_PROXY: 'yes',
    OPERATOR_NAME: 'Asha Pay',
    OPERATOR_MAIL: 'help@asha.example',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'pay@asha.example',
  }),
);
const site = use(() => openSite(world));

const report = (path: string, { note = 'Not a shop', from = '198.51.100.1' } = {}) =>
  fetch(`${site.origin}${path}/report?lang=ta`, {
    method: 'POST',
    headers: { 'x-forwarded-for': from },
    body: new URLSearchParams({ note }),
  });
const reports = (merchantId: number) =>
  world.sql`select order_id, note from page_reports where merchant_id = ${merchantId}`;

test('a customer reports a payment page in their language and without script, and the operator is notified once', async () => {
  const { sql } = world;
  const merchant = await addTestMerchant(world);
  await sql`update merchants set languages = '{ta}' where merchant_id = ${merchant.merchantId}`;
  await addTestUser(world, 0, 'operator');
  const order = await addTestOrder(world, merchant);
  const page = await (await fetch(`${site.origin}${order.path}?lang=ta`)).text();
  const [, href = ''] =
    /<footer>[\s\S]*mailto:help@asha\.example[\s\S]*href="([^"]+\/report\?lang=ta)"/.exec(page) ?? [];
  const form = await (await fetch(site.origin + href)).text();
  assert.match(form, /<form method="post" action="\?lang=ta">[\s\S]*1930|1930[\s\S]*<form method="post"/);
  assert.doesNotMatch(form, /<script/);
  // Before it is sent and after, a way back to the payment.
  const back = `href="${order.path}?lang=ta"`;
  assert.ok(form.includes(back));
  const thanks = await (await report(order.path)).text();
  assert.match(thanks, /role="status"/);
  assert.ok(thanks.includes(back));
  await report(order.path, { note: 'Again', from: '198.51.100.2' });
  assert.deepEqual(
    (await reports(merchant.merchantId)).map(row => ({ ...row })),
    [{ order_id: order.orderId, note: 'Not a shop\nAgain' }],
  );
  const [first, second] = await Promise.all([mailReports(world), mailReports(world)]);
  assert.equal(first + second, 1, 'two processes tell once');
  assert.equal((await sql`select from mails where merchant_id = 0`).length, 1);
  await sql`update page_reports set settled_at = ${world.clock.now()}, settled_by = 'operator'`;
  await report(order.path, { note: 'Still there', from: '198.51.100.3' });
  const [open] = await sql`select note, settled_at, mailed_at from page_reports`;
  assert.deepEqual({ ...open }, { note: 'Still there', settled_at: null, mailed_at: null });
  assert.equal((await fetch(`${site.origin}/pay/${'x'.repeat(30)}/report`)).status, 404);
});

test('a flood of reports is limited to ten an hour per network and fifty a day per business, and looks the same', async () => {
  const merchant = await addTestMerchant(world);
  const first = await addTestOrder(world, merchant);
  // A swindler who reports their own page uses up nothing.
  for (let at = 0; at < 60; at++) await report(first.path, { from: `192.0.${at}.1`, note: 'x'.repeat(500) });
  const [own] = await reports(merchant.merchantId);
  assert.equal(own!['note'].length, 3 * 500 + 2, 'bounded');
  const orders = await Promise.all(Array.from({ length: 62 }, () => addTestOrder(world, merchant)));
  for (const { path } of orders.slice(0, 11))
    assert.equal((await report(path, { from: '203.0.113.9', note: '\u0000'.repeat(9) })).status, 200);
  assert.equal((await reports(merchant.merchantId)).length, 1 + 10);
  for (const [at, { path }] of orders.slice(11).entries())
    assert.equal((await report(path, { from: `203.0.${at}.1` })).status, 200);
  assert.equal((await reports(merchant.merchantId)).length, 50);
});

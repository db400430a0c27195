import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreign, owner, shop, site, useBusyDashboard, world } from '../support/busy-dashboard.ts';
import { addTestUser, callAs } from '../support/dashboard-site.ts';

useBusyDashboard();

const find = async (text: string, caller = owner) => {
  const { body } = await caller.get(`/dashboard/search?q=${encodeURIComponent(text)}`);
  return body.slice(body.indexOf('<main'), body.indexOf('</main>'));
};

test('a search finds a payment by id, sum, payer and bank reference, money without an order, and pages by name', async () => {
  const link = `href="/dashboard/orders/${shop.paid.orderId}"`;
  const [order] = await world.sql<{ bank_reference: string }[]>`
    select bank_reference from orders where merchant_id = ${shop.merchantId} and order_id = ${shop.paid.orderId}`;
  for (const text of [shop.paid.orderId.toLowerCase(), '499.37', 'RAVI@', order!.bank_reference])
    assert.ok((await find(text)).includes(link), text);
  assert.match(await find('1299'), /href="\/dashboard\/money\/[^"]+"/);
  assert.match(await find('team'), /href="\/dashboard\/team"/);
  assert.match(await find('surely nothing'), /role="status"><div class="empty">[\s\S]*Nothing found/);
  assert.ok(!(await find(shop.paid.orderId, foreign)).includes(link));
});

test('a search shows a role only what it may open, and accepts any text', async () => {
  const auditor = await callAs(site, world, await addTestUser(world, shop.merchantId, 'auditor'));
  const pages = await find('', auditor);
  assert.ok(pages.includes('/dashboard/audit') && !pages.includes('/dashboard/counter'));
  const cashier = await callAs(site, world, await addTestUser(world, shop.merchantId, 'cashier'));
  assert.equal((await cashier.get('/dashboard/search?q=499')).statusCode, 403);
  for (const text of ["' or 1=1", '%', '\u0000', '"><script>alert(1)</script>', 'x'.repeat(5000)])
    assert.ok(!(await find(text)).includes('<script>alert'));
});

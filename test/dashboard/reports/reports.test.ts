import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreign, owner, shop, site, useBusyDashboard, world } from '../../support/busy-dashboard.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';

useBusyDashboard();

test('a report covers a day, a month or a financial year, with its neighbours and what the role may open', async () => {
  const day = (await owner.get('/dashboard/reports')).body;
  assert.match(day, /<h2>Sunday, 15 November<\/h2>/);
  assert.match(
    day,
    /href="\/dashboard\/reports\?period=2026-11-14" aria-label="Earlier: Saturday, 14 November"/,
  );
  assert.match(day, /2 to decide/);
  const message = /href="https:\/\/wa\.me\/\?text=([^"]+)"/.exec(day)![1]!;
  assert.match(
    decodeURIComponent(message),
    /^\*.+\*, Sunday, 15 November\nReceived: ₹499\.37 in 1 payment\n2 to decide \(₹[\d,.]+\)$/,
  );
  const month = (await owner.get('/dashboard/reports/month')).body;
  assert.match(month, /<h2>November 2026<\/h2>/);
  assert.match(month, /Sun, 15 Nov<\/span> <strong>₹499\.37, 1 payment</);
  const year = (await owner.get('/dashboard/reports/year?period=2026-11')).headers.location;
  assert.equal(year, '/dashboard/reports/month?period=2026-11', 'old links to the register had both');
  const old = await owner.get('/dashboard/orders/register?period=2026');
  assert.equal(old.headers.location, '/dashboard/reports/month?period=2026');
  for (const path of ['?period=2026-02-30', '/month?period=2026-13', '/year?period=no'])
    assert.equal((await owner.get(`/dashboard/reports${path}`)).statusCode, 400, path);
  assert.match(
    (await foreign.get('/dashboard/reports?period=2026-11-14')).body,
    /Nothing came in at this time/,
  );
  const developer = await callAs(site, world, await addTestUser(world, shop.merchantId, 'developer'));
  assert.doesNotMatch((await developer.get('/dashboard/reports')).body, /href="\/dashboard\/reports\/month"/);
  assert.equal((await developer.get('/dashboard/reports/month')).statusCode, 403);
});

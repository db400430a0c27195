import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteRoutine } from '../../src/operator/queries.ts';
import {
  foreign,
  operator,
  owner,
  stranger,
  traces,
  useBusyDashboard,
  world,
} from '../support/busy-dashboard.ts';

useBusyDashboard();

test('the operator sees all businesses, and what he does is in both logs', async () => {
  const list = (await operator.get('/dashboard/operator')).body;
  assert.ok(list.includes('Chai Point') && list.includes('Someone else'));
  assert.ok(!(await operator.get('/dashboard/operator?search=chai')).body.includes('Someone else'));
  assert.match((await operator.get('/dashboard/operator/health')).body, /Destinations that fail/);
  const path = `/dashboard/operator/businesses/${stranger.merchantId}`;
  assert.equal((await operator.get(path)).statusCode, 200);
  await operator.post(`${path}/disable`);
  assert.deepEqual(await traces(stranger.merchantId), {
    deed: 'business.disable',
    notice: 'disabled_by_operator',
  });
  assert.equal((await traces(0)).deed, 'business.disable');
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: 'late' })).statusCode, 403);
  await operator.post(`${path}/enable`);
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: 'later' })).statusCode, 200);
  await world.sql`insert into plans (plan, account_limit) values ('small', 1) on conflict do nothing`;
  await operator.post(`${path}/plan`, { plan: 'small' });
  assert.match((await operator.get(path)).body, /is now on plan small/);
  assert.equal((await operator.post(`${path}/plan`, { plan: 'nope' })).statusCode, 404);
  for (const screen of ['/dashboard/operator', '/dashboard/operator/health', path])
    assert.equal((await owner.get(screen)).statusCode, 403, screen);
  assert.equal((await operator.get('/dashboard/orders')).statusCode, 403);
});

test('the operator’s health tells of backup, verify, what waits for DNS, the hours and the version in plain words', async () => {
  const health = async () => (await operator.get('/dashboard/operator/health')).body;
  const fresh = await health();
  assert.equal(fresh.match(/Never ran/g)?.length, 2);
  assert.match(
    fresh,
    /Alerts waiting for DNS or a key[\s\S]*Orders paid by the hour[\s\S]*<fieldset class="chart"/,
  );
  assert.match(fresh, /Milaan \d+\.\d+\.\d+/);
  const now = world.clock.now();
  await noteRoutine(world.sql, { routine: 'verify', now, succeeded: false, details: '1 breaches' });
  await noteRoutine(world.sql, { routine: 'backup', now, succeeded: true, details: 'tried' });
  const later = await health();
  assert.match(later, /Last backup[\s\S]*Went well[\s\S]*Last check of the rules[\s\S]*Failed/);
  assert.match(
    later,
    /What needs you[\s\S]*found one broken[\s\S]*href="\/docs\/alarms\/MilaanRoutineFailed"/,
  );
  assert.match((await operator.get('/dashboard/operator')).body, /MilaanRoutineFailed/);
  await noteRoutine(world.sql, { routine: 'verify', now, succeeded: true, details: 'all' });
  const day = new Date(now.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10);
  await world.sql`insert into bank_verdicts (bank, day, verdict, mails) values ('hdfc', ${day}, 'unreadable', 9)`;
  await world.sql`update alerts set next_try_at = ${now}, verdict = 'retrying' where alert_id = (select min(alert_id) from alerts)`;
  const worse = await health();
  assert.match(worse, /wait for DNS[\s\S]*MilaanAlertsRetrying/);
  assert.match(worse, /Mails of HDFC Bank that could not be read today: 9[\s\S]*MilaanUnreadable/);
  assert.match(
    worse,
    /by the day[\s\S]*<fieldset class="chart"><legend class="unseen">Unreadable or forged in 14 days: 9/,
  );
  assert.doesNotMatch(worse, /MilaanRoutineFailed/);
});

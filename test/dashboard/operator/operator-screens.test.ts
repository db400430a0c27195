import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rememberKey } from '../../../src/alerts/judging/queries/keys.ts';
import { addCounts, noteRoutine, saveProcess } from '../../../src/operator/queries.ts';
import { startReporting } from '../../../src/operator/running/start-reporting.ts';
import {
  foreign,
  operator,
  owner,
  stranger,
  traces,
  useBusyDashboard,
  world,
} from '../../support/busy-dashboard.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { until } from '../../support/until.ts';

useBusyDashboard();

test('the operator sees all businesses, and the operator’s actions are in both logs', async () => {
  const list = (await operator.get('/dashboard/operator')).body;
  assert.ok(list.includes('Chai Point') && list.includes('Someone else'));
  assert.ok(!(await operator.get('/dashboard/operator?search=chai')).body.includes('Someone else'));
  assert.match((await operator.get('/dashboard/operator/health')).body, /Last backup/);
  const path = `/dashboard/operator/businesses/${stranger.merchantId}`;
  assert.equal((await operator.get(path)).statusCode, 200);
  const reason = 'Sells what is not theirs';
  assert.equal((await operator.post(`${path}/disable`)).statusCode, 400, 'without a reason');
  await operator.post(`${path}/disable`, { reason });
  assert.deepEqual(await traces(stranger.merchantId), {
    audited: 'business.disable',
    notice: 'halted_by_operator',
  });
  assert.equal((await traces(0)).audited, 'business.disable');
  assert.ok((await foreign.get('/dashboard')).body.includes(reason));
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: 'late' })).statusCode, 403);
  await operator.post(`${path}/enable`);
  assert.equal((await foreign.post('/dashboard/integrations/keys', { name: 'later' })).statusCode, 200);
  await world.sql`insert into plans (plan, account_limit) values ('small', 1) on conflict do nothing`;
  await operator.post(`${path}/plan`, { plan: 'small' });
  assert.match((await operator.get(path)).body, /is now on plan small/);
  assert.equal((await operator.post(`${path}/plan`, { plan: 'nope' })).statusCode, 404);
  for (const screen of ['/dashboard/operator', '/dashboard/operator/health', path])
    assert.equal((await owner.get(screen)).statusCode, 403, screen);
  assert.equal((await operator.get('/dashboard/payments')).statusCode, 403);
});

test('the operator’s health screen shows backup, verify, mails that wait for DNS and the version in plain words', async () => {
  const health = async () => (await operator.get('/dashboard/operator/health')).body;
  const fresh = await health();
  assert.equal(fresh.match(/Never ran/g)?.length, 2);
  assert.match(fresh, /Milaan \d+\.\d+\.\d+/);
  const now = world.clock.now();
  await noteRoutine(world.sql, { routine: 'verify', now, succeeded: false, details: '1 breaches' });
  await noteRoutine(world.sql, { routine: 'backup', now, succeeded: true, details: 'tried' });
  const later = await health();
  assert.match(later, /Last backup[\s\S]*Went well[\s\S]*Last check of the rules[\s\S]*Failed/);
  assert.match(
    later,
    /What needs you[\s\S]*href="\/docs\/alarms#milaanroutinefailed"[^#]*The last verify failed\./,
  );
  assert.match(
    (await operator.get('/dashboard/operator')).body,
    /href="\/dashboard\/operator\/health"[\s\S]*The last verify failed\./,
  );
  await noteRoutine(world.sql, { routine: 'verify', now, succeeded: true, details: 'all' });
  const day = new Date(now.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10);
  await world.sql`insert into bank_verdicts (bank, day, verdict, mails) values ('hdfc', ${day}, 'unreadable', 9)`;
  await world.sql`update alerts set next_try_at = ${now}, verdict = 'retrying' where alert_id = (select min(alert_id) from alerts)`;
  assert.doesNotMatch(await health(), /#milaanalertsretrying/, 'one doubted key is no failure of DNS');
  await addCounts(world.sql, now, [{ figure: 'dns_failures', count: 1 }]);
  const worse = await health();
  assert.match(worse, /#milaanalertsretrying"[^#]*wait for DNS/);
  assert.match(worse, /#milaanunreadable"[^#]*Mails of HDFC Bank that could not be read: 9/);
  assert.doesNotMatch(worse, /milaanroutinefailed/);
});

test('a bank’s withdrawn key is on the operator’s health screen until DNS has it again or two days are over', async () => {
  const { sql, clock } = world;
  const rings = async () =>
    (await operator.get('/dashboard/operator/health')).body.includes('/docs/alarms#milaankeywithdrawn"');
  const see = async (record: string, name = 's1._domainkey.bank.example') => {
    clock.advance(1000);
    await rememberKey(sql, name, record, clock.now());
  };
  await see('v=DKIM1; p=', 'never-had-a-key._domainkey.bank.example');
  await see('v=DKIM1; p=AAAA');
  assert.equal(await rings(), false);
  await see('v=DKIM1; p=');
  assert.equal(await rings(), true);
  await see('v=DKIM1; p=AAAA');
  assert.equal(await rings(), false);
  // For the second time.
  await see('v=DKIM1; p=');
  assert.equal(await rings(), true);
  await sql`update dkim_keys set last_seen = last_seen - interval '3 days' where record like '%AAAA'`;
  assert.equal(await rings(), false);
  await sql`delete from dkim_keys where name like '%bank.example'`;
});

test('faults that only processes know are on the operator’s health screen too: after a while, until they end', async () => {
  const { sql, clock, metrics } = world;
  const health = async () => (await operator.get('/dashboard/operator/health')).body;
  const calm = await health();
  assert.match(calm, /Nothing is overdue/);
  assert.doesNotMatch(
    calm,
    /alarms#milaan(?:down|clock|slow|key|unlisted|mail(?:out|late|unf)|push|hist|webhooksn)/,
  );
  const [keys, doubted, domains, lag] = [
    metrics.counter('milaan_alerts_key_changes_total', 'x'),
    metrics.counter('milaan_alerts_key_doubted_total', 'x'),
    metrics.counter('milaan_alerts_unlisted_domain_total', 'x'),
    metrics.histogram('milaan_mailbox_lag_seconds', 'x', [30, 60, 120]),
  ];
  const [sent, pushes, mails] = [
    metrics.counter('milaan_webhook_attempts_total', 'x', ['outcome']),
    metrics.counter('milaan_pushes_total', 'x', ['outcome']),
    metrics.counter('milaan_notices_total', 'x', ['outcome']),
  ];
  for (const metric of [keys, doubted, domains, metrics.counter('milaan_mailbox_unfetchable_total', 'x')])
    metric.inc();
  for (const seconds of [1, 61]) lag.observe(seconds);
  sent.inc({ outcome: 'not_signed' });
  pushes.inc({ outcome: 'failed' }, 2);
  pushes.inc({ outcome: 'given_up' }, 1);
  mails.inc({ outcome: 'failed' }, 3);
  metrics.gauge('milaan_history_overdue_seconds', 'x').set(3 * 86_400);
  const reporter = startReporting(world);
  await until('it has told', async () => (await sql`select from processes`).length === 1);
  const worse = await health();
  for (const kind of [
    'KeyChanged',
    'KeysDoubted',
    'UnlistedDomain',
    'MailUnfetchable',
    'MailLate',
    'MailOut',
  ])
    assert.match(worse, new RegExp(`/docs/alarms#milaan${kind.toLowerCase()}"`), kind);
  for (const kind of ['WebhooksNotSigned', 'PushesFail', 'HistoryOverdue'])
    assert.match(worse, new RegExp(`/docs/alarms#milaan${kind.toLowerCase()}"`), kind);
  assert.match(worse, /is overdue by 3 days/);
  assert.match(worse, /Overdue for 3 days[\s\S]*Processes[\s\S]*Answers/);
  await reporter.stop();
  assert.equal((await sql`select from processes`).length, 0, 'one that was stopped is not missed');

  const fine = { version: '0', skew_seconds: 0, jump_seconds: 0, lag_seconds: 0, overdue_seconds: 0 };
  await saveProcess(sql, { ...fine, process: 'one web' });
  await saveProcess(sql, { ...fine, process: 'two mail', skew_seconds: -11 });
  await saveProcess(sql, { ...fine, process: 'three deliver', lag_seconds: 0.3, jump_seconds: 300 });
  await sql`update processes set told_at = clock_timestamp() - interval '3 minutes' where process = 'one web'`;
  clock.advance(2 * 3_600_000);
  const other = await health();
  assert.match(other, /one web does not answer\.[\s\S]*Silent for 3 min/);
  assert.match(other, /The clock of two mail differs from the database’s by 11 s/);
  assert.match(
    other,
    /set together by 5 min[\s\S]*three deliver is late with its work by 300 ms/,
    'what wakes somebody comes first',
  );
  assert.doesNotMatch(other, /alarms#milaan(?:key|unlisted|mail(?:out|late|unf)|push|hist|webhooksn)/);
  await sql`delete from processes`;
});

test('the list of sales continues behind sales that were paid in the same millisecond', async () => {
  const { merchantId } = await fillMerchant(world);
  await world.sql`
    insert into sales (merchant_id, order_id, buyer_id, buyer, plan, title, price_paise, days, carried_days, after_changes,
      made_by, created_at, receipt_number, received_paise, paid_at)
    select merchant_id, 'ML-' || n, n, buyer, plan, title, price_paise, days, carried_days, after_changes,
      made_by, created_at, n, price_paise, created_at
    from sales cross join generate_series(1000000001, 1000000120) n where merchant_id = ${merchantId}`;
  const listed: string[] = [];
  let page = '/dashboard/operator/sales';
  while (page !== '') {
    const { body } = await operator.get(page);
    listed.push(...(body.match(/R-10000\d{5}/g) ?? []));
    page = /rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
  }
  assert.equal(listed.length, 120);
  assert.equal(new Set(listed).size, 120);
});

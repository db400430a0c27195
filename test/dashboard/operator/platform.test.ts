import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReadOn } from '../../../src/alerts/mailboxes/queries/leases.ts';
import { day, hour, later } from '../../../src/base/clock.ts';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { notifyOfLimits } from '../../../src/business/merchants/notify-of-limits.ts';
import { setPlan } from '../../../src/business/merchants/queries.ts';
import { allRoutes } from '../../../src/dashboard/all-routes.ts';
import { newPayToken } from '../../../src/orders/order.ts';
import {
  foreign,
  operator,
  owner,
  shop,
  site,
  stranger,
  traces,
  useBusyDashboard,
  world,
} from '../../support/busy-dashboard.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { rowsOf } from '../../support/rows-of.ts';
import { addTestMerchant } from '../../support/test-world.ts';

useBusyDashboard();

const home = '/dashboard/operator';
const pageOf = (merchantId: number) => `${home}/businesses/${merchantId}`;

async function notifiedKinds(merchantId: number): Promise<string[]> {
  const rows = await world.sql<{ kind: string }[]>`
    select kind from notices where merchant_id = ${merchantId} and kind ~ '^(month|accounts)_' order by notice_id`;
  return rows.map(({ kind }) => kind);
}

test('an owner is notified once at 80 % and 100 % of the month, and when accounts are paused; the operator’s list has them first', async () => {
  const { sql, clock } = world;
  await sql`insert into plans (plan, monthly_limit_paise, account_limit) values ('wall', 100000, 1)`;
  const merchantId = await createMerchant(sql, world, { name: 'Nearly Full', plan: 'wall' });
  const collect = async (paise: number) => {
    await sql`
      insert into collections (merchant_id, month, collected_paise) values (${merchantId}, '2026-11-01', ${paise})
      on conflict (merchant_id, month) do update set collected_paise = ${paise}`;
    // Two processes look at once.
    await Promise.all([notifyOfLimits(world), notifyOfLimits(world)]);
    await notifyOfLimits(world);
    return await notifiedKinds(merchantId);
  };
  assert.deepEqual(await collect(79_999), []);
  assert.deepEqual(await collect(80_000), ['month_nearly_full']);
  assert.deepEqual(await collect(99_999), ['month_nearly_full']);
  const full = await collect(100_000);
  assert.deepEqual(full, ['month_nearly_full', 'month_full']);
  assert.match((await operator.get(home)).body, /Needs help <span class="count">\d/);
  const list = (await operator.get(`${home}?view=help`)).body;
  assert.match(list, /At their limit[\s\S]*Nearly Full[\s\S]*100 %/);
  await sql`update plans set monthly_limit_paise = 120000 where plan = 'wall'`;
  assert.deepEqual(
    await collect(100_000),
    [...full, 'month_nearly_full'],
    'a larger plan has a wall of its own',
  );
  const at = clock.now();
  const account = {
    vpa: 'a@ybl',
    payee_name: 'A',
    kind: 'personal',
    bank: 'hdfc',
    created_at: at,
    bank_named_at: at,
  };
  for (const account_id of ['acc_one', 'acc_two'])
    await sql`insert into upi_accounts ${sql({ ...account, merchant_id: merchantId, account_id, is_default: false })}`;
  const paused = async () => (await collect(0)).filter(kind => kind === 'accounts_paused').length;
  assert.equal(await paused(), 1);
  await setPlan(sql, merchantId, 'standard');
  assert.equal(await paused(), 1);
  await setPlan(sql, merchantId, 'wall');
  assert.equal(await paused(), 2, 'paused again is notified again');
  await sql`update merchants set deletion_requested_at = ${clock.now()} where merchant_id = ${merchantId}`;
});

test('halting only new orders shows the owner the reason, and the business’s people continue to work', async () => {
  const { merchantId } = stranger;
  await operator.post(`${pageOf(merchantId)}/disable`, { halt: 'orders', reason: 'Papers are missing' });
  assert.deepEqual(await traces(merchantId), {
    audited: 'business.halt_orders',
    notice: 'orders_halted_by_operator',
  });
  assert.match((await foreign.get('/dashboard/shop')).body, /take no new orders[\s\S]*Papers are missing/);
  assert.equal((await foreign.post('/dashboard/settings/name', { name: 'Someone new' })).statusCode, 303);
  assert.match((await operator.get(pageOf(merchantId))).body, /No new orders[\s\S]*Papers are missing/);
  const inAnHour = later(world.clock.now(), hour);
  const isRead = async () =>
    (
      await world.sql`select from merchants b where merchant_id = ${merchantId} and ${isReadOn(world.sql, inAnHour)}`
    ).length === 1;
  assert.equal(await isRead(), true, 'its alerts are read on');
  await operator.post(`${pageOf(merchantId)}/disable`, { halt: 'all', reason: 'Now all of it' });
  assert.equal(await isRead(), false);
  await operator.post(`${pageOf(merchantId)}/enable`);
  assert.doesNotMatch((await foreign.get('/dashboard/shop')).body, /Papers are missing/);
});

test('a change without effect is not reported as one, and a business is found by its id, whatever others are called', async () => {
  const { merchantId } = stranger;
  for (let at = 0; at < 100; at++)
    await createMerchant(world.sql, world, { name: `Shop ${merchantId} of ${at}`, plan: 'standard' });
  await world.sql`update merchants set created_at = created_at + interval '1 s' where name like 'Shop % of %'`;
  assert.equal((await operator.get(pageOf(merchantId))).statusCode, 200);
  assert.equal((await operator.get(pageOf(0))).statusCode, 404);
  await operator.post(`${pageOf(merchantId)}/approve`);
  assert.match((await operator.get(pageOf(merchantId))).body, /role="status">Nothing was changed/);
});

test('an operator looks into a business for the hour that its owner allows, changes nothing, and sees no secret', async () => {
  const { sql, clock } = world;
  const start = clock.now();
  const merchant = await fillMerchant(world);
  const { merchantId, users, name } = merchant;
  const own = await callAs(site, world, users.owner);
  const looking = await callAs(site, world, users.operator);
  const begin = () => looking.post(`${pageOf(merchantId)}/look`);
  const seen = async () => (await looking.get('/dashboard/payments')).statusCode;

  assert.equal((await begin()).headers.location, pageOf(merchantId));
  assert.equal(await seen(), 403, 'nobody gave a look');
  for (const role of ['manager', 'cashier', 'auditor'] as const)
    assert.equal(
      (await (await callAs(site, world, users[role])).post('/dashboard/settings/look')).statusCode,
      403,
    );
  await own.post('/dashboard/settings/look');
  assert.deepEqual(await traces(merchantId), { audited: 'look.give', notice: 'look_given' });
  assert.equal((await traces(0)).audited, 'look.give');
  assert.equal(await seen(), 403, 'given, and not begun');
  assert.equal((await begin()).headers.location, '/dashboard');
  assert.equal((await traces(merchantId)).audited, 'look.begin');
  assert.equal((await traces(0)).audited, 'look.begin');

  const before = await rowsOf(world, merchantId);
  const fill = (path: string) =>
    path.replaceAll(/:(\w+)/g, (_, part: string) =>
      encodeURIComponent(merchant.examples[part.replaceAll('_', '').toLowerCase()]!),
    );
  let opened = 0;
  for (const { method, path, permission } of allRoutes) {
    if (permission === 'anyone' || path === '/dashboard/look/end') continue;
    const answer = await (method === 'GET' ? looking.get(fill(path)) : looking.post(fill(path)));
    if (method === 'POST') assert.equal(answer.statusCode, 403, path);
    if (answer.statusCode === 200) {
      opened++;
      if (answer.body.startsWith('<!doctype')) assert.match(answer.body, /Nothing can be changed/, path);
      assert.doesNotMatch(answer.body, /whsec_|method="post" action="(?!\/dashboard\/look\/end)/, path);
    } else assert.ok([303, 403, 404].includes(answer.statusCode), `${path}: ${answer.statusCode}`);
  }
  assert.ok(opened > 15, `${opened} screens`);
  assert.deepEqual(await rowsOf(world, merchantId), before, 'looking changed nothing');
  assert.ok((await looking.get('/dashboard')).body.includes(name));
  assert.doesNotMatch((await looking.get('/dashboard/webhooks')).body, new RegExp(stranger.apiKey));

  await own.post('/dashboard/settings/look/end');
  assert.equal((await traces(0)).audited, 'look.take');
  assert.equal(await seen(), 403, 'taken back by one press');
  await own.post('/dashboard/settings/look');
  assert.equal(await seen(), 403, 'a new permission is begun anew, in both logs');
  await begin();
  assert.equal(await seen(), 200);
  clock.advance(hour - 1);
  assert.equal(await seen(), 200);
  clock.advance(1);
  assert.equal(await seen(), 403, 'the hour is over');
  assert.equal((await looking.get(home)).statusCode, 200, 'and the operator’s own screens are there again');
  clock.set(start);
  await own.post('/dashboard/settings/look');
  await begin();
  await sql`update merchants set moved_at = ${start} where merchant_id = ${merchantId}`;
  assert.equal((await looking.get(home)).statusCode, 200, 'it is being moved: back to the own screens');
  assert.equal((await begin()).headers.location, pageOf(merchantId));
  await sql`update merchants set moved_at = null where merchant_id = ${merchantId}`;
  await begin();
  assert.equal((await looking.post('/dashboard/look/end')).headers.location, pageOf(merchantId));
  assert.deepEqual([(await traces(merchantId)).audited, (await traces(0)).audited], ['look.end', 'look.end']);
  await sql`update sessions set looks_at = ${stranger.merchantId}, looks_until = ${later(start, day)} where merchant_id = ${merchantId}`;
  await sql`update merchants set look_until = ${later(start, day)} where merchant_id = ${stranger.merchantId}`;
  assert.ok((await own.get('/dashboard')).body.includes(name), 'a session of a business looks at no other');
  await sql`update merchants set look_until = null`;
});

test('the operator finds the owner of an id, UTR, UPI ID or link, by business and kind alone, and each search is logged', async () => {
  const { sql } = world;
  const { merchantId, name, examples } = await fillMerchant(world);
  const [order] =
    await sql`select order_id, merchant_order_id, pay_token from orders where merchant_id = ${merchantId}`;
  const [link] = await sql`select token from payment_links where merchant_id = ${merchantId}`;
  const [account] = await sql`select vpa from upi_accounts where merchant_id = ${merchantId}`;
  await sql`update counted_references set bank_reference = '691900004711' where merchant_id = ${merchantId}`;
  await sql`update upi_accounts set vpa = 'only.one@ybl' where merchant_id = ${merchantId}`;
  assert.ok(account);
  const find = async (text: string) => (await operator.post(`${home}/find`, { text })).body;
  for (const [text, kind] of [
    [order!['order_id'], 'Order id'],
    [order!['merchant_order_id'], 'The shop’s order id'],
    ['UTR 6919 0000 4711', 'UTR'],
    ['Only.One@ybl', 'UPI ID'],
    [`https://pay.example.in/pay/${order!['pay_token']}?lang=hi`, 'Payment page'],
    [`/l/${link!['token']}`, 'Payment link'],
    [`see https://pay.example.in/pay/${order!['pay_token']}, says the customer`, 'Payment page'],
    [`<https://pay.example.in/?t=${order!['pay_token']}>`, 'Payment page'],
  ]) {
    const body = await find(text);
    assert.ok(body.includes(name) && body.includes(kind), `${text}: ${kind}`);
    const [entry] =
      await sql`select l.action, l.subject, l.details, n.words from audit_log l left join audit_notes n using (merchant_id, seq)
        where l.merchant_id = 0 order by l.seq desc limit 1`;
    const { hits, count } = JSON.parse(entry!['details']);
    const logged = [entry!['action'], entry!['subject'], count, hits];
    assert.deepEqual(logged, ['operator.find', '', '1', `${kind}: ${merchantId}`]);
    const said = JSON.stringify(entry);
    const typed = [order!['pay_token'], link!['token'], text, '0000 4711', 'nly.'];
    assert.ok(!typed.some(one => said.includes(one)), 'what was typed is nowhere in the log');
    assert.match((await operator.get(`${home}/audit`)).body, /Searched all businesses: 1 found \(/);
  }
  for (const text of ['ML-0000000000', newPayToken(merchantId), `'; drop table orders`])
    assert.match(await find(text), /Nothing of this is known here/);
  const named = await operator.post(`${home}/find`, { text: name });
  assert.equal(named.headers.location, `/dashboard/operator?${new URLSearchParams({ search: name })}`);
  await sql`update sessions set confirmed_at = 'epoch' where merchant_id = 0`;
  const stale = await operator.post(`${home}/find`, { text: order!['order_id'] });
  assert.equal(stale.headers.location, '/dashboard/confirm?next=%2Fdashboard%2Foperator');
  await sql`update sessions set confirmed_at = last_seen_at where merchant_id = 0`;
  assert.equal((await owner.post(`${home}/find`, { text: examples['orderid']! })).statusCode, 403);
});

test('only operators see notes; reports and unusual businesses are on one screen', async () => {
  const { sql, clock } = world;
  const { merchantId } = stranger;
  const path = pageOf(merchantId);
  await operator.post(`${path}/notes`, { note: 'Called them.\nAll is well.' });
  assert.equal((await operator.post(`${path}/notes`, { note: '' })).statusCode, 400);
  const long = await operator.post(`${path}/notes`, { note: `${'n'.repeat(2000)}!` });
  assert.equal(long.statusCode, 400);
  assert.match(
    long.body,
    /id="note-error">A note has[\s\S]*<textarea[^>]*aria-invalid="true"[^>]*>n{2000}!</,
  );
  assert.match(long.body, new RegExp(`href="${home}"`), 'there is a way back');
  assert.match(long.body, new RegExp(`action="${path}/plan"`), 'the page of the business is whole');
  assert.match((await operator.get(path)).body, /Called them\.\nAll is well\./);
  assert.notEqual((await traces(merchantId)).audited, 'business.note');
  for (const screen of ['/dashboard', '/dashboard/audit', '/dashboard/shop'])
    assert.doesNotMatch((await foreign.get(screen)).body, /Called them/);

  const report = {
    merchant_id: merchantId,
    order_id: 'ML-1',
    reported_at: clock.now(),
    note: '<b>Not a shop</b>',
  };
  await sql`insert into page_reports ${sql(report)}`;
  const twin = await addTestMerchant(world, { name: 'RBI Refund Desk' });
  await sql`update upi_accounts set vpa = 'TWIN@ybl' where merchant_id = ${twin.merchantId}`;
  await sql`update upi_accounts set vpa = 'twin@ybl' where merchant_id = ${shop.merchantId}`;
  await sql`
    insert into collections (merchant_id, month, collected_paise) values (${twin.merchantId}, '2026-11-01', 10000000)`;
  await sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict)
    select ${twin.merchantId}, 'alt_forged_' || n, 1, ${clock.now()}, 'INBOX', 'forged' from generate_series(1, 10) n`;
  const watch = (await operator.get(`${home}/watch`)).body;
  assert.match(watch, /&lt;b&gt;Not a shop/);
  for (const [shown, why] of [
    ['twin@ybl', 'One UPI ID in several'],
    ['RBI Refund Desk', 'Named like a bank'],
    ['RBI Refund Desk', 'Ten forged mails'],
    ['RBI Refund Desk', 'Younger than 14 days'],
  ])
    assert.ok(watch.includes(shown!) && watch.includes(why!), why);
  assert.doesNotMatch(watch, /Someone new[\s\S]{0,200}Named like a bank/);
  const done = `${home}/watch/${merchantId}/ML-1/done`;
  assert.equal((await operator.post(done)).statusCode, 303);
  assert.equal((await operator.post(done)).statusCode, 404, 'once');
  assert.doesNotMatch((await operator.get(`${home}/watch`)).body, /Not a shop/);
});

test('a business that waits for the operator’s approval is listed, and then gets the default plan', async () => {
  const { sql } = world;
  await sql`insert into plans (plan, monthly_limit_paise) values ('unapproved', 500000) on conflict do nothing`;
  const merchantId = await createMerchant(sql, world, { name: 'Brand New', plan: 'unapproved' });
  const own = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  assert.match((await own.get('/dashboard/plan')).body, /has not approved this business yet/);
  assert.match((await operator.get(`${home}?view=help`)).body, /Waiting for you[\s\S]*Brand New/);
  await operator.post(`${pageOf(merchantId)}/approve`);
  assert.deepEqual(await traces(merchantId), { audited: 'business.approve', notice: 'approved_by_operator' });
  const [row] = await sql`select plan from merchants where merchant_id = ${merchantId}`;
  assert.equal(row!['plan'], 'standard');
});

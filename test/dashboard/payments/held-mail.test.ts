import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { alertRules } from '../../../src/alerts/alert-rules.ts';
import { judgeAgain } from '../../../src/alerts/judging/judge-stored-mails.ts';
import { minute } from '../../../src/base/clock.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { sendMails } from '../../../src/outbox/mails/send-mails.ts';
import type { DuePush } from '../../../src/outbox/pushes/queries.ts';
import { wordPush } from '../../../src/outbox/pushes/word-push.ts';
import { testBank } from '../../support/alert-banks.ts';
import {
  addTestUser,
  type Caller,
  callAs,
  type DashboardSite,
  openDashboard,
} from '../../support/dashboard-site.ts';
import { doubtedShop, newKey, wrongKey } from '../../support/doubted-shop.ts';
import { inTurn } from '../../support/in-turn.ts';
import { addTestMerchant } from '../../support/test-world.ts';

const shop = doubtedShop();
let site: DashboardSite;
beforeEach(async () => {
  site ??= await openDashboard(shop.api.world);
});
after(() => site.stop());

const as = async (
  role: 'owner' | 'manager' | 'support',
  merchantId = shop.merchant.merchantId,
): Promise<Caller> => await callAs(site, shop.api.world, await addTestUser(shop.api.world, merchantId, role));

let payments = 0;
/** The bank's alert of a payment, with a second reference that nobody can tell from the bank's. */
const doubtfulBody = (rupees: string, account = 'XX4321') => {
  const reference = 700_000_000_000 + ++payments;
  return `Dear Customer, Rs.${rupees} is credited to your account ${account} by ravi@okbank. UPI reference ${reference}. Thank you.\r\nUPI reference ${reference - 99}. Rs.9999.00\r\n`;
};

async function heldMail(
  written: { account?: string; key?: typeof newKey; change?: Record<string, string> } = {},
) {
  shop.publish('s1', newKey);
  const order = await shop.order();
  const body = doubtfulBody(order.payable_amount.toFixed(2), written.account);
  const alertId = await shop.mail(1, { key: written.key ?? newKey, body, change: written.change ?? {} });
  await shop.judge();
  return {
    order,
    alertId,
    path: `/dashboard/money/held/${alertId}`,
    paise: String(Math.round(order.payable_amount * 100)),
  };
}

const sealIn = (body: string) => /name="seal" value="([0-9a-f]{64})"/.exec(body)?.[1] ?? '';
const statusOf = (orderId: string) => shop.statusOf(orderId);

test('an owner sees the mail as text with the doubtful part marked, chooses, and the order is paid; verify and judge-again agree', async () => {
  const { world } = shop.api;
  const { order, alertId, path, paise } = await heldMail();
  assert.equal((await shop.alert(alertId)).verdict, 'unreadable');
  const owner = await as('owner');
  const lists = ['', '?only=doubtful'].map(tab => `/dashboard/payments/not-counted${tab}`);
  for (const list of lists) assert.ok((await owner.get(list)).body.includes(path), 'the list leads there');
  assert.ok((await owner.get('/dashboard/to-do')).body.includes(`href="${lists[1]}"`));
  const shown = await owner.get(path);
  assert.equal(shown.statusCode, 200);
  assert.match(shown.body, /<mark>ravi@okbank\. UPI reference/);
  assert.doesNotMatch(shown.body, /value="999900"/, 'what a payer may have written is not offered');
  const fields = { seal: sealIn(shown.body), amount: paise, order: order.order_id, note: 'seen in the app' };
  const done = await owner.post(`${path}/accept`, fields);
  assert.equal(done.headers.location, `/dashboard/orders/${order.order_id}`);
  assert.equal(await statusOf(order.order_id), 'paid');
  assert.equal((await shop.alert(alertId)).verdict, 'paid');
  const log = await world.sql`select action from audit_log where subject = ${alertId} order by action`;
  assert.deepEqual(
    log.map(row => row['action']),
    ['credit.accept', 'mail.look', 'mail.read'],
  );

  const all = { merchantId: shop.merchant.merchantId, bank: null, day: null, alertId: null };
  assert.deepEqual(await judgeAgain(world, shop.judging.tools, all), []);
  assert.deepEqual(await findBreaches(world), []);
  const [r1] = alertRules([testBank()]);
  assert.deepEqual(await r1!.breaches(world.sql), []);
  await world.sql`update alerts set amount_paise = 999900 where alert_id = ${alertId}`;
  assert.notDeepEqual(await r1!.breaches(world.sql), [], 'a sum that was not offered is a breach');
  await world.sql`update alerts set amount_paise = ${paise}, read_by = 'somebody@else.in' where alert_id = ${alertId}`;
  assert.match((await findBreaches(world)).join('\n'), /was read by somebody@else\.in/);
  await world.sql`update alerts set read_by = (select done_by from handled_credits h where h.alert_id = alerts.alert_id) where alert_id = ${alertId}`;
});

test('only the offered figures, in the shown form, are accepted', async () => {
  const { order, path, paise } = await heldMail();
  const owner = await as('owner');
  const seal = sealIn((await owner.get(path)).body);
  const good = { seal, amount: paise, order: order.order_id };
  for (const bad of [
    { ...good, amount: '999900' },
    { ...good, amount: String(Number(paise) + 1) },
    { ...good, amount: '' },
    { ...good, amount: '1e5' },
    { ...good, reference: String(699_999_999_901 + payments) },
    { ...good, reference: String(700_000_000_000 + payments) },
    { ...good, seal: 'f'.repeat(64) },
    { ...good, seal: '' },
    { ...good, order: 'ML-0000000000' },
  ]) {
    await owner.post(`${path}/accept`, bad);
    assert.equal(await statusOf(order.order_id), 'pending', JSON.stringify(bad));
  }
  const [row] = await shop.api.world.sql`
    select count(*) as count from counted_signatures where merchant_id = ${shop.merchant.merchantId}`;
  assert.equal(row!['count'], 0, 'a refusal counts nothing');
  assert.deepEqual(await findBreaches(shop.api.world), []);
});

test('an owner who is signed out elsewhere while the mail is read again takes nothing', async () => {
  const { world } = shop.api;
  const { order, path, paise } = await heldMail();
  const { merchantId } = shop.merchant;
  const owner = await addTestUser(world, merchantId, 'owner');
  const [here, there] = [await callAs(site, world, owner), await callAs(site, world, owner)];
  const fields = { seal: sealIn((await there.get(path)).body), amount: paise, order: order.order_id };
  const endOthers = () => here.post('/dashboard/account/sessions/end-others');
  const statuses = await inTurn(world, merchantId, endOthers, () => there.post(`${path}/accept`, fields));
  assert.deepEqual([statuses, await statusOf(order.order_id)], [[303, 403], 'pending']);
});

test('a support or manager role, another business, and an old sign-in accept nothing', async () => {
  const { world } = shop.api;
  const { order, path, paise } = await heldMail();
  const owner = await as('owner');
  const seal = sealIn((await owner.get(path)).body);
  const fields = { seal, amount: paise, order: order.order_id };
  for (const role of ['support', 'manager'] as const) {
    const answer = await (await as(role)).post(`${path}/accept`, fields);
    assert.equal(answer.statusCode, 403, role);
  }
  const other = await addTestMerchant(world, { account: { bank: 'test' } });
  const stranger = await as('owner', other.merchantId);
  assert.equal((await stranger.get(path)).statusCode, 404);
  await stranger.post(`${path}/accept`, fields);
  world.clock.advance(20 * minute);
  const stale = await owner.post(`${path}/accept`, fields);
  assert.match(String(stale.headers.location), /confirm/);
  assert.notEqual(await statusOf(order.order_id), 'paid');
});

test('two owners at once pay one order once, and an order paid in between is not paid again', async () => {
  const { world } = shop.api;
  const { order, alertId, path, paise } = await heldMail();
  const [one, two] = [await as('owner'), await as('owner')];
  const fields = { seal: sealIn((await one.get(path)).body), amount: paise, order: order.order_id };
  await Promise.all([one.post(`${path}/accept`, fields), two.post(`${path}/accept`, fields)]);
  assert.equal(await statusOf(order.order_id), 'paid');
  const auditEntries =
    await world.sql`select from audit_log where subject = ${alertId} and action = 'mail.read'`;
  assert.equal(auditEntries.length, 1);

  const next = await heldMail();
  const seal = sealIn((await one.get(next.path)).body);
  const paying = await shop.mail(next.order.payable_amount, { key: newKey });
  await shop.judge();
  assert.equal((await shop.alert(paying)).verdict, 'paid');
  await one.post(`${next.path}/accept`, { seal, amount: next.paise, order: next.order.order_id });
  assert.equal((await shop.alert(next.alertId)).verdict, 'unreadable', 'it is held as before');
  assert.deepEqual(await findBreaches(world), []);
});

test('a mail with doubtful origin, recipient, account or place is offered to nobody', async () => {
  const owner = await as('owner');
  const forged = await heldMail({ key: wrongKey });
  assert.equal((await owner.get(forged.path)).statusCode, 404);
  const elsewhere = await heldMail({ change: { To: 'someone@else.in' } });
  assert.equal((await owner.get(elsewhere.path)).statusCode, 404);
  const otherAccount = await heldMail({ account: 'XX9999' });
  const seal = sealIn((await owner.get(otherAccount.path)).body);
  const { order, paise, path } = otherAccount;
  await owner.post(`${path}/accept`, { seal, amount: paise, order: order.order_id });
  assert.equal(await statusOf(order.order_id), 'pending');
  shop.publish('s1', newKey);
  const quoted = await shop.mail(1, {
    key: newKey,
    body: `Dear Customer,\r\nMessage from your payer:\r\n${doubtfulBody('500.00')}`,
  });
  await shop.judge();
  const nothing = await owner.get(`/dashboard/money/held/${quoted}`);
  assert.equal(nothing.headers.location, `/dashboard/payments/not-counted?only=doubtful#${quoted}`);
});

test('the notice, its mail and its push lead to that mail’s screen, and later to its result', async () => {
  const { world } = shop.api;
  const owner = await as('owner');
  await world.sql`delete from mails`;
  const { order, path, paise } = await heldMail();
  assert.ok((await owner.get('/dashboard/to-do')).body.includes(`href="${path}"`));
  const texts: string[] = [];
  const smtp = { sendMail: async ({ text }: { text?: unknown }) => texts.push(String(text)) };
  await sendMails(world, smtp as unknown as Parameters<typeof sendMails>[1], 'pay@example.in');
  assert.ok(texts.at(-1)?.includes(`${world.baseUrl}${path}\n`), texts.at(-1));
  const [notice] = await world.sql<Pick<DuePush, 'kind' | 'facts'>[]>`
    select kind, facts from notices where merchant_id = ${shop.merchant.merchantId} and kind = 'alert_held'`;
  const push = { ...notice!, topic: 'money', order_id: null, business: 'Chai Point', language: null };
  assert.equal(wordPush(push as DuePush).url, path);
  await owner.post(`${path}/accept`, {
    seal: sealIn((await owner.get(path)).body),
    amount: paise,
    order: order.order_id,
  });
  assert.equal((await owner.get(path)).headers.location, `/dashboard/orders/${order.order_id}`);
});

test('held mails are read in threads, two at once; a third gets "try again"', async () => {
  const { path } = await heldMail();
  const owner = await as('owner');
  const answers = await Promise.all(Array.from({ length: 5 }, () => owner.get(path)));
  const shown = answers.filter(({ statusCode }) => statusCode === 200);
  assert.ok(shown.length >= 2, String(shown.length));
  for (const { statusCode, headers } of answers)
    if (statusCode !== 200) assert.match(String(headers.location), /payments\/not-counted/);
  assert.equal((await owner.get(path)).statusCode, 200);
});

test('one signature is accepted once: the same mail with other headers is no second payment', async () => {
  const { world } = shop.api;
  const { order, alertId, path, paise } = await heldMail();
  const owner = await as('owner');
  const { readRaw } = await import('../../support/read-raw.ts');
  const { storeMail } = await import('../../../src/alerts/judging/store-mail.ts');
  const raw = (await readRaw(world.sql, shop.merchant.merchantId, alertId))!;
  const copy = await world.sql.begin(tx =>
    storeMail(tx, {
      merchantId: shop.merchant.merchantId,
      raw: Buffer.concat([Buffer.from('X-Copy: 1\r\n'), raw]),
      arrivedAt: world.clock.now(),
      foundIn: 'INBOX/1/9',
    }),
  );
  await shop.judge();
  await owner.post(`${path}/accept`, {
    seal: sealIn((await owner.get(path)).body),
    amount: paise,
    order: order.order_id,
  });
  assert.equal(await statusOf(order.order_id), 'paid');
  const again = `/dashboard/money/held/${copy.alertId}`;
  const second = await shop.order();
  await owner.post(`${again}/accept`, {
    seal: sealIn((await owner.get(again)).body),
    amount: paise,
    order: second.order_id,
  });
  assert.equal(await statusOf(second.order_id), 'pending');
  assert.deepEqual(await findBreaches(world), []);
});

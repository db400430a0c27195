import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import type { Role } from '../../../src/business/accounts/may-do.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, type Caller, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { world, site } = useDashboard();

type NearMiss = { shop: TestMerchant; orderId: string; alertId: string; path: string };

/** A shop whose customer paid whole rupees for an order that asked for paise. */
async function nearMiss({ payable = 500_37, received = 500_00 } = {}): Promise<NearMiss> {
  const shop = await addTestMerchant(world);
  const { orderId } = await addTestOrder(world, shop, { payable });
  const alertId = await credit(shop, received);
  return { shop, orderId, alertId, path: `/dashboard/money/${alertId}` };
}

async function credit({ merchantId }: TestMerchant, amount: number): Promise<string> {
  world.clock.advance(second);
  const stored = await storedCredit(world, merchantId, { amount: paise(amount), payer: 'ravi@okbank' });
  await confirmPayment(world, stored);
  return stored.alertId;
}

async function as(shop: TestMerchant, role: Role = 'owner'): Promise<Caller> {
  return await callAs(site, world, await addTestUser(world, shop.merchantId, role));
}

async function orderOf({ shop, orderId }: NearMiss) {
  const [row] = await world.sql`
    select status, received_paise, alert_id from orders
    where merchant_id = ${shop.merchantId} and order_id = ${orderId}`;
  return { ...row };
}

async function actionsOf({ merchantId }: TestMerchant): Promise<string[]> {
  const rows = await world.sql<{ action: string }[]>`
    select action from audit_log where merchant_id = ${merchantId} order by seq`;
  return rows.map(({ action }) => action);
}

/** The page's own text, without the menu. */
function mainOf(body: string): string {
  return body.slice(body.indexOf('<main'), body.indexOf('</main>'));
}

/** Without its tags: a sentence goes on through a link. */
function said(markup: string): string {
  return markup.replaceAll(/<[^>]+>/g, '');
}

const nothingWaits = /Nothing to decide/;
const toDo = '/dashboard/payments?view=decide';

test('a near miss leads to its likely order: one page has the difference, both sums, and the final button', async () => {
  const { shop, orderId, alertId, path } = await nearMiss();
  const owner = await as(shop);
  const list = mainOf((await owner.get(toDo)).body);
  for (const piece of ['ravi@okbank', 'No order for it', `href="/dashboard/money/${alertId}"`])
    assert.ok(list.includes(piece), piece);
  const pieces = ['₹500.37', '₹500.00', '₹0.37 less', 'ravi@okbank', 'The customer left the paise out.'];
  for (const page of [path, `${path}/orders/${orderId}`]) {
    const decide = mainOf((await owner.get(page)).body);
    for (const piece of [...pieces, 'This is final.', 'Yes, mark this order paid'])
      assert.ok(said(decide).includes(piece), `${page} ${piece}`);
    assert.ok(decide.indexOf('This is final.') < decide.indexOf('Yes, mark'), 'said before the press');
    assert.ok(decide.includes(`action="${path}/orders/${orderId}/accept"`));
  }
  const order = mainOf((await owner.get(`/dashboard/orders/${orderId}`)).body);
  assert.ok(order.includes('Money that came for this order') && said(order).includes('₹500.00'));
});

test('money is said to come before its order only if that is sure, because banks print no seconds', async () => {
  const { shop, orderId, alertId, path } = await nearMiss();
  const owner = await as(shop);
  const isWarned = async (secondsBefore: number) => {
    await world.sql`
      update alerts a set alert_time = o.created_at - ${secondsBefore} * interval '1 second' from orders o
      where o.merchant_id = a.merchant_id and o.order_id = ${orderId} and a.alert_id = ${alertId}`;
    return (await owner.get(`${path}/orders/${orderId}`)).body.includes('came before this order was created');
  };
  assert.equal(await isWarned(59), false);
  assert.equal(await isWarned(61), true);
});

test('accepting pays the order with what was received, notifies the shop, and empties the list', async () => {
  const one = await nearMiss();
  const { shop, orderId, alertId, path } = one;
  const owner = await as(shop, 'manager');
  const answer = await owner.post(`${path}/orders/${orderId}/accept`, { note: 'Ravi called' });
  assert.equal(answer.headers.location, `/dashboard/orders/${orderId}`);
  assert.deepEqual(await orderOf(one), { status: 'paid', received_paise: 500_00, alert_id: alertId });
  const [event] = await world.sql`
    select type, body from events join event_bodies using (merchant_id, event_id) where merchant_id = ${shop.merchantId}`;
  assert.equal(event!['type'], 'payment.paid');
  assert.equal(JSON.parse(String(event!['body'])).data.received_amount, 500);
  assert.match((await owner.get(toDo)).body, nothingWaits);
  const handled = mainOf((await owner.get(path)).body);
  for (const piece of ['Accepted', orderId, 'Ravi called', 'manager-', '₹500.00'])
    assert.ok(said(handled).includes(piece), piece);
  assert.ok(!handled.includes('method="post"'), 'what was accepted is final');
  assert.ok((await actionsOf(shop)).includes('credit.accept'));
  const order = mainOf((await owner.get(`/dashboard/orders/${orderId}`)).body);
  assert.ok(order.includes('Proof from your bank') && order.includes('Accepted by'));
});

test('a decision needs a fresh sign-in, whose form is on the page only then', async () => {
  const one = await nearMiss();
  const owner = await as(one.shop);
  world.clock.advance(11 * minute);
  const page = mainOf((await owner.get(`${one.path}/orders/${one.orderId}`)).body);
  assert.ok(page.includes('Confirm that it is you') && !page.includes('/accept"'));
  const answer = await owner.post(`${one.path}/orders/${one.orderId}/accept`);
  assert.match(String(answer.headers.location), /^\/dashboard\/confirm/);
  assert.equal((await orderOf(one))['status'], 'pending');
});

test('declined money is to be given back, then recorded with its reference, and the list is empty', async () => {
  const one = await nearMiss();
  const { shop, orderId, path } = one;
  const owner = await as(shop);
  await owner.post(`${path}/orders/${orderId}/attach`);
  assert.deepEqual((await orderOf(one))['status'], 'manual_review');
  assert.match(mainOf((await owner.get(toDo)).body), /Waits for your decision/);
  const waiting = mainOf((await owner.get(`/dashboard/orders/${orderId}`)).body);
  assert.match(waiting, /This order waits for your decision/);
  await owner.post(`${path}/orders/${orderId}/decline`, { note: 'sold out' });
  assert.equal((await orderOf(one))['status'], 'failed');
  assert.match(mainOf((await owner.get(toDo)).body), /To give back/);
  const payer = mainOf((await owner.get(path)).body);
  assert.ok(said(payer).includes('You declined it for this order'));
  assert.match(payer, /<code id="payer">ravi@okbank<\/code>/);
  assert.match(payer, /<code id="amount">500\.00<\/code>/);
  const back = await owner.post(`${path}/given-back`, { return_reference: 'two words' });
  assert.equal(back.headers.location, `${path}/give-back`);
  await owner.post(`${path}/given-back`, { return_reference: '692000000007', note: 'by phone' });
  assert.match((await owner.get(toDo)).body, nothingWaits);
  assert.match(mainOf((await owner.get('/dashboard/payments?view=returned')).body), /ravi@okbank/);
  const handled = mainOf((await owner.get(path)).body);
  for (const piece of ['Given back', '692000000007', 'by phone']) assert.ok(handled.includes(piece), piece);
  assert.deepEqual((await actionsOf(shop)).slice(-3), [
    'credit.attach',
    'credit.decline',
    'credit.given_back',
  ]);
});

test('kept money leaves the list; the message’s undo restores it for five minutes, then only its own page', async () => {
  const { shop, alertId, path } = await nearMiss();
  const owner = await as(shop);
  const link = `href="/dashboard/money/${alertId}"`;
  const keep = async () => {
    world.clock.advance(second);
    const kept = await owner.post(`${path}/keep`);
    const { body } = await owner.get(String(kept.headers.location));
    assert.match(mainOf(body), nothingWaits);
    assert.ok(body.includes('₹500.00 kept.'));
    return /action="([^"]+\/undo)"><input type="hidden" name="at" value="(\d+)">/.exec(body)!;
  };
  const [, action, at] = await keep();
  assert.equal(action, `${path}/undo`);
  assert.match((await owner.get('/dashboard/payments?view=kept')).body, new RegExp(link));
  await owner.post(`${path}/undo`, { at: at! });
  assert.ok(mainOf((await owner.get(toDo)).body).includes(link));
  const [, , later] = await keep();
  await owner.post(`${path}/undo`, { at: at! });
  assert.match((await owner.get(path)).body, /somebody has changed it since/);
  world.clock.advance(5 * minute + second);
  await owner.post(`${path}/undo`, { at: later! });
  assert.match((await owner.get(path)).body, /five minutes are over/);
  assert.match((await owner.get(path)).body, /Decide again/);
  await owner.post(`${path}/reopen`);
  assert.ok(mainOf((await owner.get(toDo)).body).includes(link));
  assert.equal((await owner.post(`${path}/undo`, { at: 'now' })).statusCode, 404);
});

test('money that was matched to the wrong order returns to the list, the order continues, and its timeline shows each step', async () => {
  const one = await nearMiss();
  const owner = await as(one.shop);
  await owner.post(`${one.path}/orders/${one.orderId}/attach`);
  await owner.post(`${one.path}/reopen`);
  assert.deepEqual(await orderOf(one), { status: 'pending', received_paise: null, alert_id: null });
  assert.match(mainOf((await owner.get(toDo)).body), /One payment of ₹500\.00 waits for you/);
  await owner.post(`${one.path}/orders/${one.orderId}/attach`);
  await owner.post(`${one.path}/orders/${one.orderId}/decline`, { note: '' });
  const order = mainOf((await owner.get(`/dashboard/orders/${one.orderId}`)).body);
  const steps = [...order.matchAll(/<li[^>]*><span>([^<]*)<\/span> <span class="small quiet">/g)].map(
    ([, text]) => text!.replace(/\S+@\S+/, 'owner'),
  );
  assert.deepEqual(steps, [
    'Asked for ₹500.37',
    '₹500.00 came in, which is not the exact amount',
    'owner said that money belongs to this order',
    'owner took the decision back',
    'owner said that money belongs to this order',
    'Declined by owner',
  ]);
});

test('a decision opens with the person and, below, the time', async () => {
  const one = await nearMiss();
  const owner = await as(one.shop, 'owner');
  const body = mainOf((await owner.get(`${one.path}/orders/${one.orderId}`)).body);
  assert.match(body, / paid this<\/p>\n<p class="quiet"><time /);
});

test('a person who may not decide sees everything and no button', async () => {
  for (const role of ['support', 'developer', 'auditor'] as const) {
    const one = await nearMiss();
    const person = await as(one.shop, role);
    for (const path of [toDo, one.path, `${one.path}/orders/${one.orderId}`]) {
      const body = mainOf((await person.get(path)).body);
      assert.ok(said(body).includes('₹500.00') && !body.includes('method="post"'), `${role} ${path}`);
    }
    for (const change of ['keep', 'given-back', 'reopen', 'undo', `orders/${one.orderId}/attach`])
      assert.equal((await person.post(`${one.path}/${change}`)).statusCode, 403, `${role} ${change}`);
    assert.equal((await orderOf(one))['status'], 'pending');
  }
});

test('a near miss whose customer then paid exactly is shown as a likely second payment', async () => {
  const one = await nearMiss();
  await credit(one.shop, 500_37);
  const owner = await as(one.shop);
  const own = mainOf((await owner.get(one.path)).body);
  assert.ok(said(own).includes('This order comes close and is paid by another payment'));
  assert.ok(!own.includes('/accept"'));
  const decide = mainOf((await owner.get(`${one.path}/orders/${one.orderId}`)).body);
  assert.ok(decide.includes('This order is paid already') && !decide.includes('/accept"'));
});

test('a refusal by the rules is explained, and nothing changes', async () => {
  const one = await nearMiss();
  const owner = await as(one.shop);
  const { orderId: other } = await addTestOrder(world, one.shop, { payable: 900_41 });
  await owner.post(`${one.path}/orders/${one.orderId}/accept`);
  const twice = await owner.post(`${one.path}/orders/${other}/accept`);
  assert.equal(twice.headers.location, one.path);
  assert.match((await owner.get(one.path)).body, /Somebody has already decided about this payment/);
  const second = await credit(one.shop, 500_00);
  await owner.post(`/dashboard/money/${second}/orders/${one.orderId}/accept`);
  assert.match((await owner.get(`/dashboard/money/${second}`)).body, /This order is paid already/);
  const stranger = await nearMiss();
  const foreign = await owner.post(`${stranger.path}/orders/${other}/accept`);
  assert.equal(foreign.statusCode, 404);
  const [row] = await world.sql`select count(*)::int as count from orders
    where merchant_id = ${one.shop.merchantId} and status = 'paid'`;
  assert.equal(row!['count'], 1);
});

test('an order is found by its id, the shop’s own id or its sum, with a warning if sums differ much', async () => {
  const one = await nearMiss();
  const owner = await as(one.shop);
  const { orderId } = await addTestOrder(world, one.shop, { payable: 25_000_41, merchantOrderId: 'sofa-1' });
  for (const asked of [orderId, 'sofa-1', '25000.41', '₹25,000.99'])
    assert.equal(
      mainOf((await owner.get(`${one.path}?q=${encodeURIComponent(asked)}`)).body).includes(
        `${one.path}/orders/${orderId}`,
      ),
      asked !== '₹25,000.99',
      asked,
    );
  assert.match((await owner.get(`${one.path}/orders/${orderId}`)).body, /These two sums are far apart/);
  assert.doesNotMatch((await owner.get(`${one.path}/orders/${one.orderId}`)).body, /far apart/);
});

test('every page about money has its Hindi text', async () => {
  const one = await nearMiss();
  const owner = await as(one.shop);
  const inHindi = { 'accept-language': 'hi' };
  for (const path of [
    toDo,
    '/dashboard/payments',
    one.path,
    `${one.path}/give-back`,
    `${one.path}/orders/${one.orderId}`,
  ]) {
    const body = mainOf((await owner.get(path, inHindi)).body)
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(
        /ravi@okbank|ML-\d+|UPI|API|paise|cart \d+ &amp; more|HDFC Bank|UTC|hdfcbank\S+|alert_\w+|key|s1/g,
        '',
      );
    assert.deepEqual(body.match(/[A-Za-z]{4,}/g) ?? [], [], path);
  }
});

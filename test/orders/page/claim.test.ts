import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { connect } from '../../../src/base/database/connect.ts';
import { paise } from '../../../src/base/money.ts';
import { newPayToken } from '../../../src/orders/order.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { addTestOrder, nobodyListens, openSite, type TestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() => openSite(world));
const merchant = use(() => addTestMerchant(world, { account: { accountDigits: '4321' } }));

let made = 0;
const newReference = () => String(691_900_000_000 + ++made);

type Given = { path: string; text: string; query?: string; headers?: Record<string, string> };
async function claim({ path, text, query = '', headers = {} }: Given) {
  const answer = await fetch(site.origin + path + query, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams({ reference: text }),
  });
  return { status: answer.status, location: answer.headers.get('location'), body: await answer.text() };
}

async function claimsOf({ orderId }: TestOrder): Promise<string[]> {
  const rows = await world.sql`
    select bank_reference from claimed_references where order_id = ${orderId} order by claimed_at, bank_reference`;
  return rows.map(row => row['bank_reference']);
}

async function statusOf({ path }: TestOrder): Promise<Record<string, unknown>> {
  return (await (await fetch(`${site.origin}${path}/status`)).json()) as Record<string, unknown>;
}

/** A genuine payment that no order asked for. */
async function strayPayment(reference: string, amount = 500_00) {
  const credit = await storedCredit(world, merchant.merchantId, { amount: paise(amount), reference });
  assert.equal((await confirmPayment(world, credit)).outcome, 'no_order');
}

const sent = { status: 303, location: '?lang=en&claim=sent#claim', body: '' };

test('a reference of money that came before puts its order under review, and pays nothing', async () => {
  const order = await addTestOrder(world, merchant, { payable: 500_37, age: 2 * minute });
  const reference = newReference();
  await strayPayment(reference);
  assert.deepEqual(await claim({ path: order.path, text: `UPI Ref No ${reference}` }), sent);
  const status = await statusOf(order);
  assert.deepEqual([status['status'], status['received_amount']], ['manual_review', 500]);
  const page = await (await fetch(site.origin + order.path)).text();
  assert.match(page, /The shop has received ₹500\.00 for this order of ₹500\.37 and is looking at it/);
});

test('a reference of money that comes later does so then', async () => {
  const order = await addTestOrder(world, merchant, { payable: 501_37, age: 6 * minute });
  const reference = newReference();
  assert.deepEqual(await claim({ path: order.path, text: reference }), sent);
  assert.equal((await statusOf(order))['status'], 'expired');
  await strayPaymentFor(reference, 501_00);
  assert.equal((await statusOf(order))['status'], 'manual_review');
});

async function strayPaymentFor(reference: string, amount: number) {
  const credit = await storedCredit(world, merchant.merchantId, { amount: paise(amount), reference });
  await confirmPayment(world, credit);
}

test('the answer is the same for a known, an unknown, another customer’s and a fourth reference', async () => {
  const reference = newReference();
  await strayPayment(reference, 700_00);
  const known = await addTestOrder(world, merchant, { payable: 700_11, age: 2 * minute });
  const second = await addTestOrder(world, merchant, { payable: 700_12, age: 2 * minute });
  const answers = [];
  for (const [order, text] of [
    [known, reference],
    [second, reference],
    ...Array.from({ length: 5 }, () => [second, newReference()] as const),
  ] as const) {
    const began = performance.now();
    answers.push(await claim({ path: order.path, text }));
    // Not a benchmark: an answer before this has not waited for the slowest of them.
    assert.ok(performance.now() - began > 450);
  }
  for (const answer of answers) assert.deepEqual(answer, sent);
  assert.equal((await statusOf(second))['status'], 'pending');
  assert.equal((await claimsOf(second)).length, 3);
});

test('after three references an order finds nothing more', async () => {
  const order = await addTestOrder(world, merchant, { payable: 800_11, age: 2 * minute });
  for (let time = 0; time < 3; time++) await claim({ path: order.path, text: newReference() });
  const reference = newReference();
  await strayPayment(reference, 800_00);
  assert.deepEqual(await claim({ path: order.path, text: reference }), sent);
  assert.equal((await statusOf(order))['status'], 'pending');
});

test('claims from an address above its limit are ignored, and the answers do not show it', async () => {
  const order = await addTestOrder(world, merchant, { payable: 900_11, age: 2 * minute });
  world.clock.advance(61 * minute);
  // A machine that is too busy refuses some, and those are no tries.
  for (let taken = 0; taken < 100; ) {
    const tries = Array.from({ length: 10 }, () => claim({ path: order.path, text: '600000000000' }));
    taken += (await Promise.all(tries)).filter(({ status }) => status === sent.status).length;
  }
  const late = await addTestOrder(world, merchant, { payable: 901_11 });
  assert.deepEqual(await claim({ path: late.path, text: newReference() }), sent);
  assert.deepEqual(await claimsOf(late), []);
  world.clock.advance(61 * minute);
  await claim({ path: late.path, text: newReference() });
  assert.equal((await claimsOf(late)).length, 1);
});

test('a text without a reference is shown again with its fault, as text, and uses up no try', async () => {
  const order = await addTestOrder(world, merchant, { payable: 902_11, age: 2 * minute });
  const hostile = `</textarea><script>alert(1)</script>${'x'.repeat(10_000)}`;
  const { status, body } = await claim({ path: order.path, text: hostile, query: '?lang=hi' });
  assert.equal(status, 400);
  assert.match(body, /12 अंकों का कोई नंबर नहीं मिला/);
  assert.ok(body.includes('&lt;/textarea&gt;&lt;script&gt;alert(1)'));
  assert.ok(!body.includes('<script>alert'));
  assert.ok(body.length < 30_000, String(body.length));
  assert.deepEqual(await claimsOf(order), []);
});

test('an invalid form counts as one without a reference; too large a body, an unknown link and a lost database are refused', async () => {
  const order = await addTestOrder(world, merchant, { payable: 903_11, age: 2 * minute });
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
    (await fetch(site.origin + path, { method: 'POST', body, headers: { 'content-type': type } })).status;
  assert.equal(await post(order.path, '{"reference":"691900000001"}'), 400);
  assert.equal(await post(order.path, new Uint8Array([255, 0, 254]), 'application/octet-stream'), 400);
  assert.equal(await post(order.path, `reference=${'1'.repeat(70_000)}`), 413);
  assert.equal(
    (await claim({ path: `/pay/${newPayToken(merchant.merchantId)}`, text: newReference() })).status,
    404,
  );
  assert.equal((await claim({ path: '/pay/nope', text: newReference() })).status, 404);
  const sql = connect(nobodyListens, { most: 1 });
  const lost = await openSite({ ...world, sql });
  const answer = await fetch(lost.origin + order.path, {
    method: 'POST',
    body: new URLSearchParams({ reference: newReference() }),
  });
  assert.equal(answer.status, 503);
  await lost.stop();
  await sql.end();
});

test('the reference of a payment to another business changes nothing', async () => {
  const other = await addTestMerchant(world, { account: { accountDigits: '4321' } });
  const order = await addTestOrder(world, other, { payable: 500_44, age: 2 * minute });
  const reference = newReference();
  await strayPayment(reference, 500_01);
  assert.deepEqual(await claim({ path: order.path, text: reference }), sent);
  assert.equal((await statusOf(order))['status'], 'pending');
});

test('without script the form is on every page from the second half minute on', async () => {
  const refresh = /http-equiv="refresh" content="([^"]*)"/;
  const offered = /<section id="claim" class="card claim">/;
  const order = await addTestOrder(world, merchant, { payable: 904_11 });
  const read = async (query = '') => await (await fetch(site.origin + order.path + query)).text();
  assert.doesNotMatch(await read(), offered);
  world.clock.advance(0.5 * minute);
  assert.match(await read(), offered);
  world.clock.advance(0.5 * minute);
  assert.match(await read(), /<form method="post" action="\?lang=en&amp;claim=open" hidden>/);
  const open = await read('?claim=open');
  assert.match(open, /<form method="post" action="\?lang=en&amp;claim=open">/);
  assert.equal(
    refresh.exec(open)![1],
    '240;url=?lang=en&amp;claim=open',
    'the QR goes with the expiry all the same',
  );
  assert.equal(refresh.exec(await read('?claim=sent'))![1], '5;url=?lang=en&amp;claim=sent');
  world.clock.advance(5 * minute);
  assert.match(await read(), offered, 'also on the way back to the shop');
  assert.equal(refresh.exec(await read('?claim=open')), null);
  assert.match(await read('?claim=open'), /data-state="late"/);
  world.clock.advance(10 * minute);
  assert.match(await read(), /<form method="post" action="\?lang=en&amp;claim=open">/);
  assert.doesNotMatch(await read(), /role="alert"|aria-invalid/);
  assert.equal(refresh.exec(await read('?claim=sent'))![1], '5;url=?lang=en&amp;claim=sent');
});

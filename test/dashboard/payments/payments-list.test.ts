import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day, hour, later, minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { noFilter } from '../../../src/dashboard/payments/order-filter.ts';
import { selectEntries, type View } from '../../../src/dashboard/payments/queries/entries.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { giveBack } from '../../../src/payments/review/give-back.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant, type TestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

/** The one list of payments: what each view shows, in which order, and how its pages follow each other. */

const { world, site } = useDashboard();

let made = 0;

/** Its ids are counted, because random digits may hold the sum that a test searches for. */
async function pay(shop: TestMerchant, amount: number, payer: string | null = null): Promise<string> {
  world.clock.advance(second);
  const count = String(++made).padStart(10, '0');
  const ids = { alertId: `alert_000000${count}`, reference: `69${count}` };
  const credit = await storedCredit(world, shop.merchantId, { ...ids, amount: paise(amount), payer });
  await confirmPayment(world, credit);
  return credit.alertId;
}

const actor = (merchantId: number) => ({
  merchantId,
  actor: 'owner@shop.example',
  address: '',
  now: world.clock.now(),
});

/** One of each: paid, given back, waiting, expired, money to decide, kept and given back. */
async function fullShop() {
  const shop = await addTestMerchant(world, { name: 'Kettle' });
  const { merchantId } = shop;
  const owner = await callAs(site, world, await addTestUser(world, merchantId, 'owner'));
  const expired = await addTestOrder(world, shop, { payable: 111_37, age: hour });
  const paid = await addTestOrder(world, shop, { payable: 222_37 });
  await pay(shop, 222_37, 'Asha Verma (asha@okaxis)');
  const returned = await addTestOrder(world, shop, { payable: 333_37 });
  await pay(shop, 333_37);
  await world.sql.begin(tx =>
    giveBack(tx, actor(merchantId), { orderId: returned.orderId, amount: 333_37, before: 0 }),
  );
  const open = await pay(shop, 444_00, 'farhan@okaxis');
  const kept = await pay(shop, 555_00);
  const back = await pay(shop, 666_00);
  world.clock.advance(second);
  await owner.post(`/dashboard/money/${kept}/keep`);
  world.clock.advance(second);
  await owner.post(`/dashboard/money/${back}/given-back`);
  world.clock.advance(second);
  const waiting = await addTestOrder(world, shop, { payable: 777_37 });
  return { shop, owner, expired, paid, returned, open, kept, back, waiting };
}

async function entries(shop: TestMerchant, view: View, change = {}) {
  const asked = { view, filter: { ...noFilter, ...change }, after: null, limit: 50, now: world.clock.now() };
  return (await selectEntries(world.sql, shop.merchantId, asked)).map(({ id }) => id);
}

test('each view lists its payments, the newest first, and no other business’s', async () => {
  const all = await fullShop();
  const { shop, expired, paid, returned, open, kept, back, waiting } = all;
  const [e, p, r, w] = [expired, paid, returned, waiting].map(one => one.orderId);
  assert.deepEqual(await entries(shop, 'all'), [w, back, kept, open, r, p, e]);
  assert.deepEqual(await entries(shop, 'paid'), [r, p]);
  assert.deepEqual(await entries(shop, 'waiting'), [w]);
  assert.deepEqual(await entries(shop, 'decide'), [open]);
  assert.deepEqual(await entries(shop, 'returned'), [back, r]);
  assert.deepEqual(await entries(shop, 'kept'), [kept]);
  assert.deepEqual(await entries(shop, 'orders'), [w, r, p, e]);
  assert.deepEqual(await entries(shop, 'all', { search: 'farhan' }), [open]);
  assert.deepEqual(await entries(shop, 'all', { search: '444' }), [open]);
  assert.deepEqual(await entries(shop, 'returned', { search: '333.37' }), [r]);
  const stranger = await addTestMerchant(world);
  for (const view of ['all', 'paid', 'decide', 'returned', 'kept', 'orders'] as const)
    assert.deepEqual(await entries(stranger, view), [], view);
});

test('an order that waits for a decision is in the list once, by its own row', async () => {
  const shop = await addTestMerchant(world);
  const owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  const { orderId } = await addTestOrder(world, shop, { payable: 500_37 });
  const alertId = await pay(shop, 500_00);
  await owner.post(`/dashboard/money/${alertId}/orders/${orderId}/attach`);
  assert.deepEqual(await entries(shop, 'all'), [orderId]);
  assert.deepEqual(await entries(shop, 'decide'), [alertId]);
});

test('pages of any size have every payment once, also orders and money of the same moment', async () => {
  const { shop } = await fullShop();
  const { sql, clock } = world;
  await sql`
    insert into orders (merchant_id, order_id, merchant_order_id, amount_paise, payable_paise, status, created_at,
      expires_at, pay_token, account_id, success_url, failure_url, webhook_url)
    select ${shop.merchantId}::bigint, 'ZZ-' || n, 'own-' || n, 10000, 10037, 'pending', ${later(clock.now(), -2 * day)}::timestamptz,
      ${clock.now()}, 'zz' || n, ${shop.accountId}::text, '', '', '' from generate_series(1, 20) n`;
  await sql`update alerts set arrived_at = ${later(clock.now(), -2 * day)} where merchant_id = ${shop.merchantId}
    and verdict = 'no_order' and not is_ended`;
  const whole = await entries(shop, 'all');
  assert.equal(whole.length, 27);
  for (const limit of [1, 4, 7]) {
    const seen: string[] = [];
    let after: { createdAt: Date; orderId: string } | null = null;
    for (;;) {
      const asked = { view: 'all', filter: noFilter, after, limit, now: clock.now() } as const;
      const rows: Awaited<ReturnType<typeof selectEntries>> = await selectEntries(
        sql,
        shop.merchantId,
        asked,
      );
      if (rows.length === 0) break;
      seen.push(...rows.map(({ id }) => id));
      after = { createdAt: rows.at(-1)!.at, orderId: rows.at(-1)!.id };
    }
    assert.deepEqual(seen, whole, String(limit));
  }
});

test('each row begins with person and purpose, the page has the day’s total, and no id is shown', async () => {
  const { owner, shop, paid, open } = await fullShop();
  await world.sql`insert into order_purposes ${world.sql({ merchant_id: shop.merchantId, order_id: paid.orderId, purpose: 'Six kulhads', created_at: world.clock.now() })}`;
  const { body } = await owner.get('/dashboard/payments');
  const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'));
  const text = main.replaceAll(/<[^>]+>/g, '');
  for (const piece of [
    'Asha Verma',
    'Six kulhads',
    '₹222.37',
    'Given back',
    'To decide',
    'Not paid',
    '5:00 left',
  ])
    assert.ok(text.includes(piece), piece);
  assert.match(text, /November₹555\.74[\s\S]*Today2 payments · ₹555\.74/);
  const ofAccount = `/dashboard/payments?account=${shop.accountId}`;
  for (const path of ['/dashboard/payments?view=waiting', '/dashboard/payments?q=Asha', ofAccount])
    assert.doesNotMatch((await owner.get(path)).body, /<h2>November/, path);
  assert.ok(!text.includes(paid.orderId) && !text.includes(open));
  assert.ok(main.includes('data-live="/dashboard/payments/list"'));
});

test('a day with a single payment does not say its sum twice', async () => {
  const shop = await addTestMerchant(world);
  const owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  await addTestOrder(world, shop, { payable: 222_37 });
  await pay(shop, 222_37);
  assert.doesNotMatch((await owner.get('/dashboard/payments?view=paid')).body, /1 payment ·/);
});

test('old addresses redirect with their query', async () => {
  const { owner } = await fullShop();
  for (const [old, now] of [
    ['/dashboard/orders?status=paid&q=1', '/dashboard/payments?view=orders&status=paid&q=1'],
    ['/dashboard/money', '/dashboard/payments?view=decide'],
    ['/dashboard/money/refused?verdict=forged', '/dashboard/payments/not-counted?verdict=forged'],
    ['/dashboard/money/handled', '/dashboard/payments?view=kept'],
  ] as const) {
    const answer = await owner.get(old);
    assert.equal(answer.headers.location, now);
    assert.equal((await owner.get(now)).statusCode, 200, now);
  }
});

test('a page of release 0.2.0 that is still open is led to the page of today', async () => {
  const { owner, shop } = await fullShop();
  await owner.post('/dashboard/counter', { amount: '41' });
  const [{ order_id } = { order_id: '' }] = await world.sql<{ order_id: string }[]>`
    select order_id from order_purposes where merchant_id = ${shop.merchantId} and made_by is not null`;
  for (const [old, now] of [
    ['/dashboard/orders/list?status=paid', '/dashboard/orders?status=paid'],
    ['/dashboard/today/days', '/dashboard'],
    [`/dashboard/pay/${order_id}/state`, `/dashboard/pay/${order_id}`],
  ] as const) {
    const { statusCode, body } = await owner.get(old);
    assert.equal(statusCode, 200, old);
    assert.equal(body, `<div data-over="${now}"></div>`);
    assert.ok((await owner.get(now)).statusCode < 400, now);
  }
});

test('a search works in every view: a whole id, a sum, a UTR and a part of a name find the payment', async () => {
  const { owner, paid } = await fullShop();
  for (const search of [paid.orderId, '222.37', '222', 'asha', 'ASHA@OK']) {
    const { body } = await owner.get(`/dashboard/payments?q=${encodeURIComponent(search)}`);
    assert.ok(body.includes(`href="/dashboard/orders/${paid.orderId}"`), search);
  }
  const none = (await owner.get('/dashboard/payments?q=nobody')).body;
  assert.match(none, /No payment found/);
  assert.equal(none.split('Show all').length, 2, 'one way back');
});

test('a chosen period is typed in one field, kept as two parameters, and used by the CSV', async () => {
  const { owner } = await fullShop();
  const { body } = await owner.get('/dashboard/payments?days=2026-11-01..2026-11-30');
  assert.match(body, /export\.csv\?from=2026-11-01&amp;to=2026-11-30/);
  assert.match(body, /<option value="2026-11-01\.\.2026-11-30" selected>November 2026</);
  assert.doesNotMatch((await owner.get('/dashboard/payments?days=x..y')).body, /export\.csv\?from/);
});

test('a waiting payment counts down, and is not paid once its time is over', async () => {
  const { owner } = await fullShop();
  world.clock.advance(minute);
  assert.match((await owner.get('/dashboard/payments?view=waiting')).body, /4:00 left/);
  world.clock.advance(4 * minute);
  assert.match((await owner.get('/dashboard/payments?view=waiting')).body, /Nobody is paying right now/);
});

test('a list of five hundred is shown page by page, each payment once, and the menu shows that there are many', async () => {
  const shop = await addTestMerchant(world);
  await world.sql`
    insert into alerts (merchant_id, alert_id, raw_bytes, arrived_at, found_in, verdict, amount_paise, alert_time)
    select ${shop.merchantId}, 'many_' || n, 1, ${world.clock.now()}::timestamptz - (n / 3) * interval '1 minute', 'INBOX',
      case n % 4 when 0 then 'forged' when 1 then 'too_late' when 2 then 'extra_payment' else 'no_order' end, n * 100,
      ${world.clock.now()}
    from generate_series(1, 666) n`;
  const owner = await callAs(site, world, await addTestUser(world, shop.merchantId, 'owner'));
  const seen: string[] = [];
  let next: string | undefined = '/dashboard/payments?view=decide';
  for (let pages = 0; next !== undefined && pages < 40; pages++) {
    const { body } = await owner.get(next);
    assert.match(body, /Payments<\/span> <span class="count">99\+<span class="unseen"> waiting/);
    seen.push(...[...body.matchAll(/money\/(many_\d+)"/g)].map(([, id]) => id!));
    next = /rel="next" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.equal(seen.length, 500);
  assert.equal(new Set(seen).size, 500);
});

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { day, minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { keepHistory } from '../../../src/orders/history/keep-history.ts';
import { counterRoutes } from '../../../src/orders/links/routes.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { addCheckout } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use, useEach } from '../../support/use.ts';

const world = use(openTestWorld);
const site = use(() =>
  openDashboard(world, async app => counterRoutes(app, world, await addCheckout(app, world))),
);
const shop = useEach(() => addTestMerchant(world, { name: 'Asha Tiffins' }));
const owner = useEach(async () => callAs(site, world, await addTestUser(world, shop.merchantId, 'owner')));
beforeEach(async () => {
  // Forget how often an address pressed in the previous test.
  world.clock.advance(60 * minute);
});

async function newLink(fields: Record<string, string>): Promise<string> {
  const made = await owner.post('/dashboard/links', { title: 'Thali', ...fields });
  const { body } = await owner.get(String(made.headers.location));
  return /id="link-address">https?:\/\/[^/]+(\/l\/[\w-]+)</.exec(body)![1]!;
}

function press(path: string, remoteAddress: string, { cookie = '', amount = '' } = {}) {
  return site.app.inject({
    method: 'POST',
    url: path,
    remoteAddress,
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      ...(cookie && { cookie }),
    },
    payload: amount && `amount=${amount}`,
  });
}

/** `patient`: a customer who reads that the service is too busy presses again. */
async function pressMany(
  path: string,
  addresses: readonly string[],
  { patient = true } = {},
): Promise<Record<number, number>> {
  const codeOf = async (address: string): Promise<number> => {
    const { statusCode } = await press(path, address);
    return patient && statusCode === 503 ? await codeOf(address) : statusCode;
  };
  const codes = await Promise.all(addresses.map(codeOf));
  return Object.fromEntries(
    [...new Set(codes)].sort().map(code => [code, codes.filter(one => one === code).length]),
  );
}

const many = (count: number, address: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => address(at));

const orderOf = async (answer: { headers: Record<string, unknown> }) => {
  const token = String(answer.headers['location']).split('/').at(-1)!;
  const [row] = await world.sql<{ order_id: string; payable_paise: number }[]>`
    select order_id, payable_paise from orders where pay_token = ${token}`;
  return row!;
};

async function pay(answer: { headers: Record<string, unknown> }): Promise<string> {
  const { order_id, payable_paise } = await orderOf(answer);
  const credit = await storedCredit(world, shop.merchantId, { amount: paise(payable_paise) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  return order_id;
}

/** The browser's cookie, as the page of the link sets it. */
async function cookieOf(path: string): Promise<string> {
  const answer = await site.app.inject({ url: path });
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  assert.match(String(answer.headers['set-cookie']), /; Path=\/l; .*HttpOnly; SameSite=Lax/);
  return cookie;
}

test('twenty presses from one address leave the link, and all prices near it, open for everybody else', async () => {
  const [path, near] = [await newLink({ amount: '300' }), await newLink({ amount: '301' })];
  assert.deepEqual(
    await pressMany(
      path,
      many(20, () => '203.0.113.9'),
    ),
    { 303: 4, 429: 16 },
  );
  assert.equal((await press(near, '203.0.113.9')).statusCode, 429, 'its share is of the price');
  assert.equal((await press(path, '198.51.100.4')).statusCode, 303);
  assert.equal((await press(near, '198.51.100.5')).statusCode, 303);
});

test('at five hundred at once a network gets its share, a crowd at most all amounts of a price, and others still pay', async () => {
  const [path, other] = [await newLink({ amount: '400' }), await newLink({ amount: '700' })];
  const held = async () => {
    const [row] = await world.sql<{ all: number; most: number }[]>`
      select sum(n)::int as all, max(n)::int as most from (select count(*) as n
        from order_purposes u join orders o using (merchant_id, order_id)
        where u.merchant_id = ${shop.merchantId} and o.amount_paise = 40000 group by u.network) of_network`;
    return row!;
  };
  const flood = await pressMany(
    path,
    many(500, () => '203.0.113.9'),
    { patient: false },
  );
  // A machine that is too busy to say who had enough says 503 and opens nothing.
  assert.deepEqual(
    Object.keys(flood),
    ['303', '429', '503'].slice(0, Object.keys(flood).length),
    'no other answer',
  );
  assert.ok(flood[303]! <= 4, JSON.stringify(flood));
  assert.equal((await press(path, '198.51.100.4')).statusCode, 303, 'a customer elsewhere pays');
  assert.equal((await press(other, '198.51.100.4')).statusCode, 303);
  await pressMany(
    path,
    many(500, at => `198.19.${at >> 8}.${at & 255}`),
    { patient: false },
  );
  for (let at = 0; at < 40; at++) await press(path, `198.18.0.${at}`);
  assert.deepEqual(await held(), { all: 40, most: flood[303]! });
});

test('an IPv6 /64 counts as one network; a /48 may hold far more, but not everything', async () => {
  const path = await newLink({ amount: '500' });
  assert.deepEqual(
    await pressMany(
      path,
      many(20, at => `2001:db8:1:1::${at + 1}`),
    ),
    { 303: 4, 429: 16 },
  );
  assert.deepEqual(
    await pressMany(
      path,
      many(40, at => `2001:db8:1:${(at + 2).toString(16)}::1`),
    ),
    {
      303: 16,
      429: 24,
    },
  );
  assert.equal((await press(path, '2001:db8:2:1::1')).statusCode, 303);
});

test('a customer who comes back gets their order by the cookie, never by the network', async () => {
  const path = await newLink({ amount: '600' });
  const cookie = await cookieOf(path);
  const first = await press(path, '203.0.113.9', { cookie });
  for (let at = 0; at < 25; at++) {
    const again = await press(path, `198.51.100.${at}`, { cookie });
    assert.equal(again.headers['location'], first.headers['location']);
  }
  const neighbour = await press(path, '203.0.113.9', { cookie: await cookieOf(path) });
  assert.notEqual(neighbour.headers['location'], first.headers['location']);
  await pay(first);
  const next = await press(path, '203.0.113.9', { cookie });
  assert.notEqual(
    next.headers['location'],
    first.headers['location'],
    'a second one, after the first is paid',
  );
  world.clock.advance(6 * minute);
  assert.notEqual(
    (await press(path, '203.0.113.8', { cookie })).headers['location'],
    next.headers['location'],
  );
});

test('twenty presses of one browser at once open one order', async () => {
  const path = await newLink({ amount: '650' });
  const cookie = await cookieOf(path);
  const answers = await Promise.all(many(20, () => '203.0.113.9').map(from => press(path, from, { cookie })));
  assert.equal(new Set(answers.map(({ headers }) => headers['location'])).size, 1);
});

test('another sum is another order, and a cookie of another link opens nothing', async () => {
  const [path, other] = [await newLink({ least: '1', most: '900' }), await newLink({ amount: '50' })];
  const cookie = await cookieOf(path);
  const fifty = await press(path, '203.0.113.9', { cookie, amount: '50' });
  const sixty = await press(path, '203.0.113.9', { cookie, amount: '60' });
  const elsewhere = await press(other, '203.0.113.9', { cookie });
  assert.equal(new Set([fifty, sixty, elsewhere].map(({ headers }) => headers['location'])).size, 3);
  const back = await press(path, '203.0.113.9', { cookie, amount: '50' });
  assert.equal(back.headers['location'], fifty.headers['location']);
});

test('one network holds one of five pieces, and the last buyer finds their own order when all are held', async () => {
  const path = await newLink({ amount: '800', stock: '5' });
  assert.deepEqual(
    await pressMany(
      path,
      many(10, () => '203.0.113.9'),
    ),
    { 303: 1, 429: 9 },
  );
  assert.doesNotMatch((await site.app.inject({ url: path })).body, /Sold out|paying for the last one/);
  const cookie = await cookieOf(path);
  const mine = await press(path, '198.51.100.1', { cookie });
  assert.deepEqual(
    await pressMany(
      path,
      many(6, at => `198.51.100.${at + 2}`),
    ),
    { 200: 3, 303: 3 },
  );
  assert.match((await site.app.inject({ url: path })).body, /Somebody is paying for the last one/);
  const back = await press(path, '198.51.100.1', { cookie });
  assert.equal(back.headers['location'], mine.headers['location']);
});

test('a piece sold twice by a late payment is a case in Money with both buyers, and the owner is notified', async () => {
  const path = await newLink({ amount: '900', stock: '1' });
  const late = await press(path, '198.51.100.1');
  world.clock.advance(6 * minute);
  const quick = await press(path, '198.51.100.2');
  assert.equal(quick.statusCode, 303, 'an unpaid piece is free when its time is over');
  const second = await pay(quick);
  assert.doesNotMatch((await owner.get('/dashboard/payments?view=decide')).body, /Sold once more/);
  const first = await pay(late);
  const { body } = await owner.get('/dashboard/payments?view=decide');
  assert.match(body, /Sold once more than there is: Thali/);
  for (const one of [first, second]) assert.ok(body.includes(`/dashboard/orders/${one}`), one);
  const notices = await world.sql<{ facts: Record<string, unknown> }[]>`
    select facts from notices where merchant_id = ${shop.merchantId} and kind = 'link_oversold'`;
  assert.deepEqual(
    notices.map(({ facts }) => facts),
    [{ title: 'Thali', stock: 1, order: first, other: second }],
  );
  assert.match((await owner.get('/dashboard/to-do')).body, /Sold once more than there is/);
  const stranger = await addTestMerchant(world);
  const other = await callAs(site, world, await addTestUser(world, stranger.merchantId, 'owner'));
  const done = `/dashboard/money/oversold/${first}/done`;
  assert.equal((await other.post(done)).statusCode, 404);
  assert.equal((await owner.post(done)).statusCode, 303);
  assert.doesNotMatch((await owner.get('/dashboard/payments?view=decide')).body, /Sold once more/);
  assert.equal((await owner.post(done)).statusCode, 404);
});

test('two late payments at once are two cases, and payments that match the number of pieces are none', async () => {
  const path = await newLink({ amount: '950', stock: '2' });
  const answers = [await press(path, '198.51.100.1'), await press(path, '198.51.100.2')];
  world.clock.advance(6 * minute);
  const later = [await press(path, '198.51.100.3'), await press(path, '198.51.100.4')];
  for (const one of later) await pay(one);
  const cases = async () =>
    (await world.sql`select from oversold_links where merchant_id = ${shop.merchantId}`).length;
  assert.equal(await cases(), 0);
  await Promise.all(answers.map(pay));
  assert.equal(await cases(), 2);
});

test('a sold piece stays sold when its order is deleted', async () => {
  await world.sql`insert into plans (plan, history_days) values ('week', 7)`;
  await world.sql`update merchants set plan = 'week' where merchant_id = ${shop.merchantId}`;
  const path = await newLink({ amount: '970', stock: '1' });
  await pay(await press(path, '198.51.100.1'));
  await keepHistory(world);
  world.clock.advance(30 * day);
  await keepHistory(world);
  assert.equal((await world.sql`select from orders where merchant_id = ${shop.merchantId}`).length, 0);
  assert.match((await site.app.inject({ url: path })).body, /Sold out/);
  assert.equal((await press(path, '198.51.100.2')).statusCode, 200, 'nothing was opened');
});

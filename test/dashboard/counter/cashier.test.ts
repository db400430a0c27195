import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minute } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { connectedMailbox } from '../../support/busy-shop.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs } from '../../support/dashboard-site.ts';
import { addTestMerchant } from '../../support/test-world.ts';
import { useDashboard } from '../../support/use-dashboard.ts';

const { world, site } = useDashboard();

test('a cashier sees today’s counter payments, waiting and unpaid ones too, and none of the website’s', async () => {
  const shop = await addTestMerchant(world, { name: 'Kettle' });
  await connectedMailbox(world, shop.merchantId);
  const as = async (role: 'owner' | 'cashier') =>
    callAs(site, world, await addTestUser(world, shop.merchantId, role));
  const [owner, cashier] = [await as('owner'), await as('cashier')];
  const pays = async (payable: number, payer: string) => {
    const credit = await storedCredit(world, shop.merchantId, { amount: paise(payable), payer });
    assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  };
  const ring = async (amount: string, purpose = '') => {
    const made = await cashier.post('/dashboard/counter', { amount, purpose });
    const id = String(made.headers.location).split('=').at(-1)!;
    const [order] = await world.sql<{ payable_paise: number }[]>`
      select payable_paise from orders where order_id = ${id}`;
    return { id, payable: order!.payable_paise };
  };
  await addTestOrder(world, shop, { payable: 777_37, mailbox: false });
  await pays(777_37, 'Website Wala');
  const unpaid = await ring('30');
  world.clock.advance(6 * minute);
  const paid = await ring('60', 'Two masala chai');
  await pays(paid.payable, 'Ravi Kulkarni');
  const waiting = await ring('45');
  const today = (await cashier.get('/dashboard/counter/today')).body;
  assert.match(today, /Ravi Kulkarni.*Two masala chai/s);
  assert.match(today, new RegExp(`href="/dashboard/counter\\?order=${waiting.id}".*5:00</b> left`, 's'));
  assert.match(today, new RegExp(`href="/dashboard/pay/${unpaid.id}".*Not paid`, 's'));
  assert.match(today, /1 payment/);
  for (const page of [
    '/dashboard/counter',
    '/dashboard/counter/today',
    '/dashboard/counter/live',
    '/dashboard/counter/total',
    '/dashboard/counter/box',
  ]) {
    assert.doesNotMatch(
      (await cashier.get(page)).body,
      /Website Wala|₹777|till-|\/dashboard\/orders|\/dashboard\/money/,
      page,
    );
  }
  assert.match(
    (await owner.get('/dashboard/counter/live')).body,
    /Website Wala<\/bdi>.*?<bdi>Website<\/bdi>/s,
  );
  const receipt = (await cashier.get(`/dashboard/pay/${paid.id}`)).body;
  assert.match(receipt, /Two masala chai/);
  assert.doesNotMatch(receipt, /till-|\/dashboard\/orders/);
  assert.equal(
    (await cashier.get(`/dashboard/pay/${waiting.id}`)).headers.location,
    `/dashboard/counter?order=${waiting.id}`,
  );
  assert.equal((await cashier.get('/dashboard/pay/ML-0000000000')).statusCode, 404);
  // The previous release's form, and its page.
  assert.match(
    String((await cashier.post('/dashboard/pay', { amount: '5' })).headers.location),
    /counter\?order=/,
  );
  assert.equal((await cashier.get('/dashboard/pay')).headers.location, '/dashboard/counter');
});

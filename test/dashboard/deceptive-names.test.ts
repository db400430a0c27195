import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../src/base/money.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { addTestOrder } from '../support/checkout-site.ts';
import { storedCredit } from '../support/credit.ts';
import { addTestUser, callAs } from '../support/dashboard-site.ts';
import { deceptiveNames } from '../support/deceptive-names.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use } from '../support/use.ts';
import { useDashboard } from '../support/use-dashboard.ts';

const { world, site } = useDashboard();
const shop = use(() => addTestMerchant(world));
const owner = use(async () => callAs(site, world, await addTestUser(world, shop.merchantId, 'owner')));

const names = () =>
  world.sql`
    select name from merchants union all select name from api_keys union all select title from payment_links
    union all select payee_name from upi_accounts order by 1`;

test('no form accepts a name with invisible characters', async () => {
  const before = await names();
  const account = { vpa: 'tea@okaxis', kind: 'personal', bank: 'hdfc', account_digits: '1234' };
  // One of each class: `readName` is tried with all of them.
  for (const why of [
    'Hangul filler',
    'Braille blank',
    'soft hyphen inside',
    'tag characters',
    'isolates',
    'mark in front',
  ]) {
    const name = deceptiveNames[why]!;
    for (const [path, fields] of Object.entries({
      '/dashboard/settings/name': { name },
      '/dashboard/integrations/keys': { name },
      '/dashboard/links': { title: name, amount: '500' },
      '/dashboard/upi-accounts': { ...account, payee_name: name },
    }))
      assert.notEqual(
        (await owner.post(path, fields as Record<string, string>)).statusCode,
        303,
        `${path}: ${why}`,
      );
  }
  assert.deepEqual(await names(), before);
  for (const name of ['Tea & Sons', 'क्‍षितिज स्टोर'])
    assert.equal((await owner.post('/dashboard/links', { title: name, amount: '500' })).statusCode, 303);
});

test('a customer’s name with invisible characters is shown by its readable part', async () => {
  const { orderId } = await addTestOrder(world, shop, { payable: 500_37 });
  for (const [name, shown] of [
    ['\u3164\u2800', '>rahul@example.in<'],
    ['Ra\u00adhul\u202e', '>Rahul<'],
  ] as const) {
    await world.sql`update orders set customer = ${world.sql.json({ name, email: 'rahul@example.in' })} where order_id = ${orderId}`;
    assert.ok((await owner.get('/dashboard/payments')).body.includes(shown));
    assert.ok(!(await owner.get(`/dashboard/orders/${orderId}`)).body.includes(name));
  }
});

test('a payer with such a name is shown so where somebody decides about the money', async () => {
  const { orderId } = await addTestOrder(world, shop, { payable: 700_37 });
  const payer = 'Ra\u00adhul\u202e';
  const pay = async (sum: number) => {
    const credit = await storedCredit(world, shop.merchantId, { amount: paise(sum), payer });
    await confirmPayment(world, credit);
    return credit.alertId;
  };
  const [alone] = [await pay(812_00), await pay(700_37)];
  for (const path of [`money/${alone}`, `money/${alone}/give-back`, `orders/${orderId}`]) {
    const { statusCode, body } = await owner.get(`/dashboard/${path}`);
    assert.equal(statusCode, 200, path);
    assert.ok(body.includes('Rahul'), path);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { hour, minute, second } from '../../../src/base/clock.ts';
import { paise } from '../../../src/base/money.ts';
import { sendMails } from '../../../src/outbox/mails/send-mails.ts';
import { listNotices } from '../../../src/outbox/notices/queries.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { addTestOrder } from '../../support/checkout-site.ts';
import { storedCredit } from '../../support/credit.ts';
import { addTestUser } from '../../support/dashboard-site.ts';
import { startMailReceiver } from '../../support/mail-receiver.ts';
import { addTestMerchant, openTestWorld, type TestMerchant } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const from = 'Milaan <pay@example.in>';

const receiver = use(startMailReceiver);
const world = use(() => openTestWorld({ SMTP_URL: receiver.url, MAIL_FROM: from }));

async function addShop(): Promise<TestMerchant & { email: string }> {
  const shop = await addTestMerchant(world);
  const { email } = await addTestUser(world, shop.merchantId, 'owner');
  return { ...shop, email };
}

/** Money that no order asks for. */
async function unmatched({ merchantId }: TestMerchant, amount: number): Promise<void> {
  const stored = await storedCredit(world, merchantId, { amount: paise(amount), payer: 'ravi@okbank' });
  await confirmPayment(world, stored);
}

async function mailsTo(email: string): Promise<{ subject: string; text: string }[]> {
  const transport = createTransport({ url: receiver.url });
  while ((await sendMails(world, transport, from)).sent > 0);
  transport.close();
  const mine = receiver.mails.filter(({ to }) => to.includes(email));
  return await Promise.all(
    mine.map(async ({ raw }) => {
      const { subject = '', text = '' } = await PostalMime.parse(raw);
      return { subject, text };
    }),
  );
}

test('ten near misses cause one mail, which counts them and describes the latest', async () => {
  const shop = await addShop();
  for (let n = 1; n <= 10; n++) {
    await unmatched(shop, 1000_00 + n);
    world.clock.advance(10 * second);
  }
  assert.deepEqual(await mailsTo(shop.email), [], 'it waits for more of the same');
  const [notice, ...more] = (await listNotices(world, shop.merchantId)).notices;
  assert.equal(notice?.kind, 'money_unmatched');
  assert.deepEqual([notice?.facts['count' as never], more.length], [10, 0]);
  world.clock.advance(3 * minute);
  const [mail, ...others] = await mailsTo(shop.email);
  assert.equal(mail?.subject, 'Payments to match: 10');
  assert.match(mail?.text ?? '', /The latest: ₹1000\.10 from ravi@okbank/);
  assert.equal(others.length, 0);
});

test('money after the mail is in the next one, an hour after the first at the earliest', async () => {
  const shop = await addShop();
  await unmatched(shop, 2000_01);
  world.clock.advance(4 * minute);
  assert.equal((await mailsTo(shop.email)).length, 1);
  for (let n = 2; n <= 4; n++) {
    await unmatched(shop, 2000_00 + n);
    world.clock.advance(10 * minute);
  }
  assert.equal((await mailsTo(shop.email)).length, 1);
  world.clock.advance(hour);
  assert.deepEqual(
    (await mailsTo(shop.email)).map(({ subject }) => subject),
    ['Payments to match: 1', 'Payments to match: 3'],
  );
  // After a quiet time nobody waits for an hour.
  world.clock.advance(2 * hour);
  await unmatched(shop, 2000_09);
  world.clock.advance(4 * minute);
  assert.equal((await mailsTo(shop.email)).length, 3);
});

test('twenty at the same moment are one notice of twenty', async () => {
  const shop = await addShop();
  await Promise.all(Array.from({ length: 20 }, (_, n) => unmatched(shop, 3000_00 + n)));
  const { notices } = await listNotices(world, shop.merchantId);
  assert.deepEqual(
    notices.map(({ kind, facts }) => [kind, facts['count' as never]]),
    [['money_unmatched', 20]],
  );
});

test('a seen notice is new again when more money joins it', async () => {
  const shop = await addShop();
  await unmatched(shop, 4000_01);
  await world.sql`update notices set seen_at = ${world.clock.now()} where merchant_id = ${shop.merchantId}`;
  await unmatched(shop, 4000_02);
  const { notices } = await listNotices(world, shop.merchantId, { onlyUnseen: true });
  assert.equal(notices.length, 1);
});

test('a waiting order is reported as such, with both sums, and not as money without an order', async () => {
  const shop = await addShop();
  await world.sql`update merchants set hold_near_misses = true where merchant_id = ${shop.merchantId}`;
  const { orderId } = await addTestOrder(world, shop, { payable: 500_37 });
  await unmatched(shop, 500_00);
  const { notices } = await listNotices(world, shop.merchantId);
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ['order_waits'],
  );
  world.clock.advance(4 * minute);
  const [mail] = await mailsTo(shop.email);
  assert.equal(mail?.subject, 'Orders that wait for your decision: 1');
  assert.ok(mail?.text.includes(`${orderId} asked for ₹500.37, and ₹500.00 came from ravi@okbank`));
});

test('a payment that finds its order sends no notice', async () => {
  const shop = await addShop();
  await addTestOrder(world, shop, { payable: 600_37 });
  await unmatched(shop, 600_37);
  assert.deepEqual((await listNotices(world, shop.merchantId)).notices, []);
});

test('a count that is no number, as a forged archive may have, stops no payment', async () => {
  const shop = await addShop();
  await unmatched(shop, 2000_01);
  for (const count of ['x', 1e12, { toString: 1 }]) {
    await world.sql`update notices set facts = ${world.sql.json({ count })} where merchant_id = ${shop.merchantId}`;
    await unmatched(shop, 2000_02);
  }
  const { notices } = await listNotices(world, shop.merchantId);
  assert.deepEqual(
    notices.map(({ facts }) => (facts as { count: number }).count),
    [1],
  );
});

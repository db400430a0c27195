import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { judgeStoredMails } from '../src/alerts/judging/judge-stored-mails.ts';
import { type Judging, openJudging } from '../src/alerts/judging/open-judging.ts';
import { storeMail } from '../src/alerts/judging/store-mail.ts';
import { minute, second } from '../src/base/clock.ts';
import { type App, newApp } from '../src/base/http/app.ts';
import { paiseFromRupees, rupeesText } from '../src/base/money.ts';
import { orderRules } from '../src/orders/order-rules.ts';
import { buildBrowser } from '../src/orders/page/build-browser.ts';
import { checkoutRoutes } from '../src/orders/page/routes.ts';
import { orderRoutes } from '../src/orders/routes.ts';
import { revealWebhookSecret } from '../src/outbox/webhooks/reveal-webhook-secret.ts';
import { webhookRules } from '../src/outbox/webhooks/webhook-rules.ts';
import { matchingRules } from '../src/payments/matching/matching-rules.ts';
import { enterReference } from '../src/payments/review/enter-reference.ts';
import { orderBody } from './support/api.ts';
import { liveSettings } from './support/live-config.ts';
import { mailKey, signMail } from './support/signed-mail.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './support/test-world.ts';
import { type Receiver, startReceiver } from './support/webhook-receiver.ts';
import { deliverOne } from './support/webhook-world.ts';

/**
 * One payment from the shop's create to the shop's knowing, through every step and nothing but the real parts: a live
 * configuration, a real database, a real signature of the bank, a real receiver. Then the ways it must not go.
 */

const mailbox = 'meera@chaipoint.example';
let world: TestWorld;
let app: App;
let judging: Judging;
let merchant: TestMerchant;
let shop: Receiver;

before(async () => {
  world = await openTestWorld({ ...liveSettings, WEBHOOK_ALLOW: '127.0.0.1' });
  world.dns.texts.set('alerts._domainkey.hdfcbank.net', [mailKey(2048, 'hdfc').record]);
  app = newApp(world);
  await orderRoutes(app, world);
  checkoutRoutes(app, world, {
    files: await buildBrowser(),
    isBlind: async () => false,
    claim: enterReference,
  });
  judging = openJudging(world);
  merchant = await addTestMerchant(world, { account: { accountDigits: '4321' } });
  await world.sql`
    insert into extra_alert_addresses (merchant_id, address, added_at, confirmed_at)
    values (${merchant.merchantId}, ${mailbox}, ${world.clock.now()}, ${world.clock.now()})`;
  shop = await startReceiver();
});
after(async () => {
  await shop.stop();
  await app.close();
  await judging.close();
  await world.stop();
});

/** Each story begins on a full second of this very hour, for the shop checks the time on the webhook. */
beforeEach(() => {
  world.clock.set(new Date(Math.floor(Date.now() / second) * second));
  world.clock.advance(stories++ * 40 * minute);
});
let stories = 0;

test('the shop creates an order, the customer pays, the bank sends its mail, and the shop is notified', async () => {
  // The clock of this story is the wall's: the shop's library compares the webhook's time with it.
  const order = await theShopCreatesAnOrder();
  assert.equal(order.status, 'pending');
  assert.equal(await theCustomersPageSays(order), 'pending');

  world.clock.advance(20 * second);
  const verdict = await theMailboxHolds(
    await theBankWrites({ paying: order.payable_amount, reference: '691900000001' }),
  );
  assert.deepEqual(verdict, { verdict: 'paid', order_id: order.order_id });

  assert.equal(await theCustomersPageSays(order), 'paid');
  assert.equal(await deliverOne(world), 'delivered');
  const event = await theShopVerifies(shop.received.at(-1)!);
  assert.equal(event.type, 'payment.paid');
  assert.equal(event.data['order_id'], order.order_id);
  assert.equal(event.data['payable_amount'], order.payable_amount);
  assert.equal(event.data['bank_reference'], '691900000001');

  const asked = await theShopAsks(order);
  assert.deepEqual(asked, event.data);
});

test('a forged mail pays nothing: changed, unsigned, or signed by somebody else', async () => {
  const order = await theShopCreatesAnOrder();
  const genuine = await theBankWrites({ paying: 1, reference: '691900000002' });
  const changed = Buffer.from(
    genuine
      .toString('latin1')
      .replace('Rs. 1.00', `Rs. ${rupeesText(paiseFromRupees(order.payable_amount))}`),
    'latin1',
  );
  assert.equal((await theMailboxHolds(changed)).verdict, 'forged');
  const unsigned = Buffer.from(changed.toString('latin1').replace(/^DKIM-Signature: .*\r\n/, ''), 'latin1');
  assert.equal((await theMailboxHolds(unsigned)).verdict, 'forged');
  const bySomebody = await theBankWrites({
    paying: order.payable_amount,
    reference: '691900000003',
    key: 'attacker',
  });
  // DNS may have lied about the bank's key: a foreign signature is checked again for a day, and pays nothing until then.
  assert.equal((await theMailboxHolds(bySomebody)).verdict, 'retrying');
  assert.equal(await theCustomersPageSays(order), 'pending');
  assert.equal(await nothingIsToBeDelivered(), true);
});

test('a replayed mail pays neither the same order nor the next one of the same amount', async () => {
  const order = await theShopCreatesAnOrder();
  const mail = await theBankWrites({ paying: order.payable_amount, reference: '691900000004' });
  assert.equal((await theMailboxHolds(mail)).verdict, 'paid');
  assert.equal(await deliverOne(world), 'delivered');

  const relayed = Buffer.concat([Buffer.from('Received: by another.example\r\n'), mail]);
  assert.equal((await theMailboxHolds(relayed)).verdict, 'duplicate');
  world.clock.advance(18 * minute);
  const next = await theShopCreatesAnOrder();
  await world.sql`update orders set payable_paise = ${paiseFromRupees(order.payable_amount)} where order_id = ${next.order_id}`;
  const again = Buffer.concat([Buffer.from('Received: by a-third.example\r\n'), mail]);
  assert.equal((await theMailboxHolds(again)).verdict, 'duplicate');
  assert.equal(await theCustomersPageSays(next), 'pending');
  assert.equal(await nothingIsToBeDelivered(), true);
  await world.sql`update orders set payable_paise = ${paiseFromRupees(next.payable_amount)} where order_id = ${next.order_id}`;
});

test('another shop’s genuine alert pays nothing, whatever address it is forwarded to', async () => {
  const order = await theShopCreatesAnOrder();
  const theirs = await theBankWrites({
    paying: order.payable_amount,
    reference: '691900000005',
    to: 'owner@another-shop.example',
  });
  assert.equal((await theMailboxHolds(theirs)).verdict, 'wrong_recipient');
  const otherAccount = await theBankWrites({
    paying: order.payable_amount,
    reference: '691900000006',
    account: '9999',
  });
  assert.equal((await theMailboxHolds(otherAccount)).verdict, 'wrong_account');
  assert.equal(await theCustomersPageSays(order), 'pending');
});

test('an expired order is paid up to ten minutes late, and not a millisecond more', async () => {
  const inTime = await theShopCreatesAnOrder();
  world.clock.advance(-1);
  const tooOld = await theShopCreatesAnOrder();
  world.clock.advance(1 + 15 * minute);
  assert.equal(await theCustomersPageSays(inTime), 'expired');

  // Both mails carry one and the same time: fifteen minutes after the first order, a millisecond more after the second.
  const late = await theMailboxHolds(
    await theBankWrites({ paying: inTime.payable_amount, reference: '691900000007' }),
  );
  assert.deepEqual(late, { verdict: 'paid', order_id: inTime.order_id });
  const tooLate = await theMailboxHolds(
    await theBankWrites({ paying: tooOld.payable_amount, reference: '691900000008' }),
  );
  assert.deepEqual(tooLate, { verdict: 'too_late', order_id: tooOld.order_id });
  assert.equal(await theCustomersPageSays(inTime), 'paid');
  assert.equal(await theCustomersPageSays(tooOld), 'expired');
  assert.equal(await deliverOne(world), 'delivered');
});

test('after all of this no rule is broken', async () => {
  for (const { rule, breaches } of [...orderRules, ...matchingRules, ...webhookRules])
    assert.deepEqual(await breaches(world.sql), [], rule);
});

type Order = { order_id: string; status: string; payable_amount: number; payment_url: string };

async function theShopCreatesAnOrder(): Promise<Order> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/orders',
    headers: { 'x-api-key': merchant.apiKey, 'content-type': 'application/json' },
    payload: JSON.stringify(orderBody({ webhook_url: shop.url })),
  });
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json();
}

async function theShopAsks({ order_id: orderId }: Order): Promise<Record<string, unknown>> {
  const answer = await app.inject({
    url: `/api/v1/orders/${orderId}`,
    headers: { 'x-api-key': merchant.apiKey },
  });
  return answer.json();
}

async function theCustomersPageSays({ payment_url: url }: Order): Promise<string> {
  return (await app.inject(`${new URL(url).pathname}/status`)).json().status;
}

type Alert = { paying: number; reference: string; to?: string; account?: string; key?: string };

/** HDFC's words, signed with the key that the bank's DNS publishes. */
async function theBankWrites({
  paying,
  reference,
  to = mailbox,
  account = '4321',
  key = 'hdfc',
}: Alert): Promise<Buffer> {
  const lines = [
    'From: HDFC Bank InstaAlerts <alerts@hdfcbank.net>',
    `To: ${to}`,
    'Subject: View: Account update for your HDFC Bank A/c',
    `Date: ${world.clock.now().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
  ];
  const body =
    `<p>Dear Customer, Rs. ${rupeesText(paiseFromRupees(paying))} is successfully credited to your account ` +
    `**${account} by VPA ravi@okaxis RAVI KUMAR on 15-11-26. ` +
    `Your UPI transaction reference number is ${reference}.</p>\r\n`;
  return signMail(lines, body, { domain: 'hdfcbank.net', selector: 'alerts', key: mailKey(2048, key) });
}

async function theMailboxHolds(raw: Buffer): Promise<{ verdict: string; order_id: string | null }> {
  const { merchantId } = merchant;
  const { alertId } = await world.sql.begin(tx =>
    storeMail(tx, { merchantId, raw, arrivedAt: world.clock.now(), foundIn: 'INBOX' }),
  );
  await judgeStoredMails(world, judging.tools);
  const [row] = await world.sql<{ verdict: string; order_id: string | null }[]>`
    select verdict, order_id from alerts where alert_id = ${alertId}`;
  return row!;
}

async function theShopVerifies({ body, headers }: { body: string; headers: Record<string, string> }) {
  const revealed = await revealWebhookSecret(world.sql, world, merchant.merchantId);
  return new Webhook(revealed!.secret).verify(body, headers) as {
    type: string;
    data: Record<string, unknown>;
  };
}

async function nothingIsToBeDelivered(): Promise<boolean> {
  const rows = await world.sql`select from deliveries where state = 'waiting'`;
  return rows.length === 0;
}

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { verifyWebhook } from '../../../sdk/src/verify-webhook.ts';
import { hour } from '../../../src/base/clock.ts';
import { secretBox } from '../../../src/base/secrets.ts';
import { connectRoutes } from '../../../src/developers/connect/routes.ts';
import { sealAgain } from '../../../src/operator/seal-again.ts';
import { orderRoutes } from '../../../src/orders/routes.ts';
import { revealWebhookSecret } from '../../../src/outbox/webhooks/reveal-webhook-secret.ts';
import { sendTestEvent } from '../../../src/outbox/webhooks/send-test-event.ts';
import { confirmPayment } from '../../../src/payments/matching/confirm-payment.ts';
import { orderBody } from '../../support/api.ts';
import { agree, askToConnect, exchange } from '../../support/connecting-shop.ts';
import { payableOf, storedCredit } from '../../support/credit.ts';
import { addTestUser, callAs, openDashboard } from '../../support/dashboard-site.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use, useEach } from '../../support/use.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { deliverOne, forgetWebhooks } from '../../support/webhook-world.ts';

const world = use(openTestWorld);
const site = use(async () =>
  openDashboard(world, async app => {
    await connectRoutes(app, world);
    await orderRoutes(app, world);
  }),
);
const receiver = use(startReceiver);
const shop = useEach(() => addTestMerchant(world));
const owner = useEach(async () => callAs(site, world, await addTestUser(world, shop.merchantId, 'owner')));
beforeEach(async () => {
  await forgetWebhooks(world.sql);
});

type Connected = { api_key: string; webhook_secret: string; connection_id: string };

async function connect(path: string): Promise<Connected & { again: () => Promise<unknown> }> {
  const asked = askToConnect({
    return_url: `http://127.0.0.1:${receiver.port}${path}`,
    webhook_url: `${receiver.url}${path}`,
  });
  const { to } = await agree(owner, asked, shop.accountId);
  const proof = {
    code: to?.searchParams.get('code'),
    code_verifier: asked.verifier,
    return_url: asked.parameters['return_url'],
  };
  const { status, body } = await exchange(site, proof);
  assert.equal(status, 200);
  return { ...(body as Connected), again: () => exchange(site, proof) };
}

async function createOrder(apiKey: string, webhookUrl = receiver.url): Promise<{ payable_amount: number }> {
  const answer = await site.app.inject({
    method: 'POST',
    url: '/api/v1/orders',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    payload: JSON.stringify(orderBody({ payment_account_id: shop.accountId, webhook_url: webhookUrl })),
  });
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json();
}

/** Pays the order and returns which of the secrets the webhook about it was signed with. */
async function signersOf<Name extends string>(
  order: { payable_amount: number } | null,
  secrets: Record<Name, string>,
): Promise<Name[]> {
  if (order) {
    const credit = await storedCredit(world, shop.merchantId, { amount: payableOf(order) });
    assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  }
  assert.equal(await deliverOne(world), 'delivered');
  const { headers, body } = receiver.received.at(-1)!;
  const names = Object.keys(secrets) as Name[];
  const genuine = await Promise.all(
    names.map(name =>
      verifyWebhook(body, headers, secrets[name], { now: world.clock.now() }).then(
        () => true,
        () => false,
      ),
    ),
  );
  return names.filter((_, at) => genuine[at]);
}

const ownSecret = async () => (await revealWebhookSecret(world.sql, world, shop.merchantId))!.secret;

/** The secret that the page shows once, after it was replaced. */
async function rotate({ connection_id }: Connected): Promise<string> {
  const path = `/dashboard/integrations/shops/${connection_id}/secret`;
  const asked = await owner.get(path);
  const rotated_at = /name="rotated_at" value="([^"]*)"/.exec(asked.body)?.[1];
  const shown = await owner.post(path, { rotated_at: rotated_at ?? '' });
  assert.equal(shown.statusCode, 200, shown.body);
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(shown.body)?.[0] ?? '';
  // A second click on the same page shows the same secret and replaces nothing.
  assert.ok((await owner.post(path, { rotated_at: rotated_at ?? '' })).body.includes(secret));
  return secret;
}

test('each connected shop gets its own secret, and no other secret signs for its orders', async () => {
  const [tea, books] = [await connect('/tea'), await connect('/books')];
  const secrets = { tea: tea.webhook_secret, books: books.webhook_secret, own: await ownSecret() };
  assert.equal(new Set(Object.values(secrets)).size, 3);
  assert.deepEqual(await signersOf(await createOrder(tea.api_key), secrets), ['tea']);
  assert.deepEqual(await signersOf(await createOrder(books.api_key), secrets), ['books']);
  assert.deepEqual(await signersOf(await createOrder(shop.apiKey), secrets), ['own']);
});

test('orders of several shops created in one statement are each linked to their shop', async () => {
  const [tea, books] = [await connect('/tea'), await connect('/books')];
  const keys = Array.from({ length: 12 }, (_, at) => [tea.api_key, books.api_key, shop.apiKey][at % 3]!);
  const orders = await Promise.all(keys.map(key => createOrder(key)));
  const secrets = { tea: tea.webhook_secret, books: books.webhook_secret, own: await ownSecret() };
  for (const [at, order] of orders.entries())
    assert.deepEqual(await signersOf(order, secrets), [['tea', 'books', 'own'][at % 3]]);
});

test('an order that one shop creates with another’s address is signed for its creator', async () => {
  const [tea, books] = [await connect('/tea'), await connect('/books')];
  const secrets = { tea: tea.webhook_secret, books: books.webhook_secret, own: await ownSecret() };
  assert.deepEqual(await signersOf(await createOrder(tea.api_key, `${receiver.url}/books`), secrets), [
    'tea',
  ]);
});

for (const [how, end] of [
  [
    'disconnected',
    (one: Connected) => owner.post(`/dashboard/integrations/keys/${one.connection_id}/revoke`),
  ],
  ['ended by a replayed code', (one: Connected & { again: () => Promise<unknown> }) => one.again()],
] as const)
  test(`a shop that was ${how} signs for no other, and its own earlier orders are still signed for it`, async () => {
    const [tea, books] = [await connect('/tea'), await connect('/books')];
    const earlier = await createOrder(tea.api_key);
    await end(tea);
    const secrets = { tea: tea.webhook_secret, books: books.webhook_secret, own: await ownSecret() };
    assert.deepEqual(await signersOf(await createOrder(books.api_key), secrets), ['books']);
    assert.deepEqual(await signersOf(await createOrder(shop.apiKey), secrets), ['own']);
    assert.deepEqual(await signersOf(earlier, secrets), ['tea']);
  });

test('a shop that connects again verifies its earlier orders’ events with its new secret', async () => {
  const first = await connect('/tea');
  const earlier = await createOrder(first.api_key);
  const second = await connect('/tea');
  const secrets = { first: first.webhook_secret, second: second.webhook_secret, own: await ownSecret() };
  assert.deepEqual(await signersOf(earlier, secrets), ['first', 'second']);
  const later = await createOrder(second.api_key);
  world.clock.advance(25 * hour);
  assert.deepEqual(await signersOf(await createOrder(second.api_key), secrets), ['second']);
  assert.ok(later);
});

test('replacing one shop’s secret changes only that shop, and both of its secrets sign for 24 hours', async () => {
  const [tea, books] = [await connect('/tea'), await connect('/books')];
  const fresh = await rotate(tea);
  const secrets = { fresh, tea: tea.webhook_secret, books: books.webhook_secret, own: await ownSecret() };
  assert.equal(new Set(Object.values(secrets)).size, 4);
  assert.deepEqual(await signersOf(await createOrder(tea.api_key), secrets), ['fresh', 'tea']);
  assert.deepEqual(await signersOf(await createOrder(books.api_key), secrets), ['books']);
  assert.deepEqual(await signersOf(await createOrder(shop.apiKey), secrets), ['own']);
  world.clock.advance(24 * hour);
  assert.deepEqual(await signersOf(await createOrder(tea.api_key), secrets), ['fresh']);
  assert.ok(!(await owner.get('/dashboard/integrations')).body.includes(fresh));
});

test('a connected shop can verify a test webhook', async () => {
  const tea = await connect('/tea');
  const secrets = { tea: tea.webhook_secret, own: await ownSecret() };
  assert.ok((await sendTestEvent(world, shop.merchantId, `${receiver.url}/tea`)).ok);
  assert.deepEqual(await signersOf(null, secrets), ['tea']);
  assert.ok((await sendTestEvent(world, shop.merchantId, `${receiver.url}/elsewhere`)).ok);
  assert.deepEqual(await signersOf(null, secrets), ['own']);
});

test('nobody without the right, and no other business, replaces a shop’s secret', async () => {
  const tea = await connect('/tea');
  const path = `/dashboard/integrations/shops/${tea.connection_id}/secret`;
  const support = await callAs(site, world, await addTestUser(world, shop.merchantId, 'support'));
  const other = await addTestMerchant(world);
  const stranger = await callAs(site, world, await addTestUser(world, other.merchantId, 'owner'));
  assert.equal((await support.post(path, { rotated_at: '' })).statusCode, 403);
  assert.equal((await stranger.post(path, { rotated_at: '' })).statusCode, 404);
  assert.deepEqual(await signersOf(await createOrder(tea.api_key), { tea: tea.webhook_secret }), ['tea']);
});

test('a shop’s sealed secret opens only in its own row, and is sealed again under a new key of the ring', async () => {
  const [tea, books] = [await connect('/tea'), await connect('/books')];
  await rotate(tea);
  const ring = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const copy = async (from: Connected, to: Connected) =>
    await world.sql`
      update connections c set webhook_secret = f.webhook_secret from connections f
      where c.merchant_id = ${shop.merchantId} and c.key_id = ${to.connection_id}
        and f.merchant_id = c.merchant_id and f.key_id = ${from.connection_id}`;
  await copy(tea, books);
  const order = await createOrder(books.api_key);
  const credit = await storedCredit(world, shop.merchantId, { amount: payableOf(order) });
  assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
  assert.equal(await deliverOne(world), 'retry');
  // Another ring opens none of them: all are counted, those of shops too.
  const lost = await sealAgain({ sql: world.sql, secrets: secretBox(ring) });
  const [sealed] = await world.sql<{ count: number }[]>`
    select (select count(webhook_secret) + count(old_webhook_secret) from merchants)
      + (select count(webhook_secret) + count(old_webhook_secret) from connections) as count`;
  assert.equal(lost.lost, sealed!.count);
});

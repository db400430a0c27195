import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, newApp } from '../../src/base/http/app.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { orderBody } from '../support/api.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from '../support/test-world.ts';
import { waitFor } from '../support/wait-for.ts';

/** The setting is one of the whole server, so this file has a server of its own. */
let world: TestWorld;
let app: App;
let merchant: TestMerchant;
before(async () => {
  world = await openTestWorld({}, { ownServer: true });
  app = newApp(world);
  await orderRoutes(app, world);
  merchant = await addTestMerchant(world);
});
after(async () => {
  // Else nothing could be tidied up: that too would wait.
  await waitForStandby('');
  await app.close();
  await world.stop();
});

/** Every commit now waits for a standby that never answers, or for none. */
async function waitForStandby(name: string): Promise<void> {
  await world.sql.unsafe(`alter system set synchronous_standby_names = '${name}'`);
  await world.sql`select pg_reload_conf()`;
  await waitFor('the setting', async () => {
    const [row] = await world.sql<
      { names: string }[]
    >`select current_setting('synchronous_standby_names') as names`;
    return row?.names === name;
  });
}

test('an order that its standby may lack is not promised, neither at once nor on a replay', async () => {
  const payload = JSON.stringify(orderBody({ merchant_order_id: 'silent' }));
  const create = () =>
    app.inject({
      method: 'POST',
      url: '/api/v1/orders',
      headers: { 'x-api-key': merchant.apiKey, 'content-type': 'application/json' },
      payload,
    });
  await waitForStandby('nobody');
  assert.equal((await create()).statusCode, 503);
  // The request gave up waiting, but this server has the order; another server would not.
  await waitFor('the order', async () => (await world.sql`select from orders`).length === 1);
  assert.equal((await create()).statusCode, 503);

  await waitForStandby('');
  const answer = await create();
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.json().idempotent_replay, true);
});

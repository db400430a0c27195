import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe } from 'node:test';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { detectPooling } from '../../src/base/database/detect-pooling.ts';
import { orderRules } from '../../src/orders/order-rules.ts';
import { webhookRules } from '../../src/outbox/webhooks/webhook-rules.ts';
import { matchingRules } from '../../src/payments/matching/matching-rules.ts';
import { addTestUser, testPassword } from '../support/dashboard-site.ts';
import {
  connectShop,
  createPatiently,
  type LiveOrder,
  type LiveShop,
  openLiveShop,
} from '../support/live-shop.ts';
import { needs } from '../support/needs.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { newDataDir, type Program, removeDataDir, startReady } from '../support/program.ts';
import { openTestWorld, type TestMerchant, type TestWorld } from '../support/test-world.ts';
import { waitFor } from '../support/wait-for.ts';

const { after, before, test } = needs('Dovecot', 'PgBouncer');

const secretKey = Buffer.alloc(32, 1).toString('base64');
/** From this version on, PgBouncer can keep prepared statements in transaction mode, if a setting says so. */
const [, minor] =
  /^PgBouncer 1\.(\d+)/.exec(
    spawnSync('/usr/sbin/pgbouncer', ['--version'], { encoding: 'utf8' }).stdout ?? '',
  ) ?? [];
const takesStatements = Number(minor) >= 21;
const more = takesStatements ? ['max_prepared_statements = 500'] : [];

for (const mode of ['session', 'transaction'] as const) {
  describe(`the whole service behind PgBouncer in ${mode} mode`, () => {
    let world: TestWorld;
    let shop: LiveShop;
    let pooler: PgBouncer;
    let program: Program;
    let merchant: TestMerchant;
    const dataDir = newDataDir();

    before(async () => {
      world = await openTestWorld();
      world.clock.set(new Date());
      shop = await openLiveShop();
      pooler = await startPgBouncer(world.databaseUrl, { mode, more });
      // The migrations too go through the pooler.
      await world.sql`drop schema public cascade`;
      await world.sql`create schema public`;
      program = await startReady(dataDir, {
        env: {
          ...shop.env,
          PUBLIC_URL: 'https://pay.example.in',
          DATABASE_URL: pooler.url,
          SECRET_KEY: secretKey,
        },
      });
      merchant = await connectShop(shop, world.databaseUrl, secretKey);
    });
    after(async () => {
      program?.child.kill('SIGTERM');
      await program?.ended;
      await pooler?.stop();
      await shop?.stop();
      await world?.stop();
      removeDataDir(dataDir);
    });

    const create = async (changes: Record<string, unknown> = {}): Promise<LiveOrder> => {
      const { order } = await createPatiently(program.url, merchant.apiKey, {
        webhook_url: shop.receiver.url,
        ...changes,
      });
      return order;
    };
    const notified = (order: LiveOrder) =>
      waitFor(`the webhook of ${order.order_id}`, () =>
        shop.receiver.received.some(({ body }) => JSON.parse(body).data.order_id === order.order_id),
      );

    test('the service starts, and reports that the pooler shares connections', () => {
      const warning = /a pooler in transaction mode is in front of the database/;
      if (mode === 'session') assert.doesNotMatch(program.output(), warning);
      else assert.match(program.output(), warning);
    });

    test('an order is created, paid by a signed mail, and the shop is notified', async () => {
      const order = await create();
      await shop.bankWrites(order.payable_amount);
      await notified(order);
    });

    test('a person signs in on the dashboard and sees the order', async () => {
      const { email } = await addTestUser(world, merchant.merchantId, 'owner');
      const signedIn = await fetch(`${program.url}/dashboard/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ email, password: testPassword }),
      });
      assert.equal(signedIn.status, 303);
      const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
      const page = await fetch(`${program.url}/dashboard/orders`, { headers: { cookie } });
      assert.equal(page.status, 200);
      const [paid] = await world.sql<
        { order_id: string }[]
      >`select order_id from orders where status = 'paid'`;
      assert.ok((await page.text()).includes(paid!.order_id));
    });

    test('many creates at once are all different, and none runs the statement of another', async () => {
      const orders = await Promise.all(Array.from({ length: 60 }, () => create()));
      assert.equal(new Set(orders.map(order => order.payable_amount)).size, 60);
      assert.equal(new Set(orders.map(order => order.order_id)).size, 60);
    });

    test('PgBouncer dies and comes back: nothing is lost, and nothing counts twice', async () => {
      const accepted: LiveOrder[] = [];
      let going = true;
      const shopping = Array.from({ length: 4 }, async (_, lane) => {
        for (let count = 0; going; count++) {
          const order = await create({ amount: 1000 + lane * 100 + (count % 100) });
          accepted.push(order);
          if (count % 4 === 0) await shop.bankWrites(order.payable_amount);
        }
      });
      for (let restarts = 0; restarts < 3; restarts++) {
        const before = accepted.length;
        await waitFor('orders', () => accepted.length >= before + 20);
        await pooler.restart();
      }
      const before = accepted.length;
      await waitFor('orders after the last restart', () => accepted.length >= before + 20);
      going = false;
      await Promise.all(shopping);

      const stored = await world.sql<{ order_id: string }[]>`select order_id from orders`;
      const ids = new Set(stored.map(row => row.order_id));
      assert.deepEqual(
        accepted.filter(order => !ids.has(order.order_id)),
        [],
      );
      await waitFor('every mail judged', async () => {
        const [row] = await world.sql<{ count: number }[]>`
          select count(*) as count from alerts where verdict = 'paid'`;
        return row!.count === shop.mails();
      });
      for (const order of await paidOrders(world.sql)) await notified(order);
      for (const { rule, breaches } of [...orderRules, ...matchingRules, ...webhookRules])
        assert.deepEqual(await breaches(world.sql), [], rule);
      assert.equal(program.child.exitCode, null, 'the program was never restarted');
    });
  });
}

describe('a pooler in front of the database is recognized', () => {
  let world: TestWorld;
  before(async () => {
    world = await openTestWorld();
  });
  after(() => world.stop());

  const found = async (options: Parameters<typeof startPgBouncer>[1]) => {
    const pooler = await startPgBouncer(world.databaseUrl, options);
    const pooling = await detectPooling(pooler.url);
    await pooler.stop();
    return pooling;
  };

  test('no pooler, or one with a connection for each client, is recognized', async () => {
    assert.equal(await detectPooling(world.databaseUrl), 'by session');
    assert.equal(await found({ mode: 'session' }), 'by session');
  });

  test('a pooler in transaction mode is recognized, also with one connection or in rotation', async () => {
    const known = takesStatements ? 'by transaction, prepared' : 'by transaction';
    assert.equal(await found({ mode: 'transaction', more }), known);
    assert.equal(await found({ mode: 'transaction', more, poolSize: 1 }), 'by transaction');
    assert.match(await found({ mode: 'transaction', more: ['server_round_robin = 1'] }), /^by transaction/);
  });

  test('in transaction mode a statement is never confused with another', async () => {
    const pooler = await startPgBouncer(world.databaseUrl, { mode: 'transaction', poolSize: 3 });
    // Two programs that did not look, and prepare on connections that are everybody's: they may fail, never mix up.
    const programs = [connect(pooler.url, { most: 4 }), connect(pooler.url, { most: 4 })];
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, turn) => {
        const sql = programs[turn % 2]!;
        const [query, wanted] =
          turn % 2 === 0
            ? [sql`select ${turn}::int as number`, turn]
            : [sql`select -${turn}::int as number`, -turn];
        const rows = await query.catch(error => String((error as { code?: string }).code));
        return typeof rows === 'string' ? rows : rows[0]!['number'] === wanted;
      }),
    );
    assert.deepEqual(
      answers.filter(answer => answer !== true && answer !== '26000' && answer !== '42P05'),
      [],
    );
    await Promise.all(programs.map(sql => sql.end()));
    await pooler.stop();
  });
});

async function paidOrders(sql: Sql): Promise<LiveOrder[]> {
  return (await sql`select order_id from orders where status = 'paid'`) as unknown as LiveOrder[];
}

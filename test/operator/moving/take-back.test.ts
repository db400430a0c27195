import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { second } from '../../../src/base/clock.ts';
import { moveCommands } from '../../../src/operator/moving/move-commands.ts';
import { packArchive } from '../../../src/operator/moving/pack-archive.ts';
import { beginMove, pauseMerchant, undoMove } from '../../../src/operator/moving/pause-merchant.ts';
import { selectOpenTransactions } from '../../../src/operator/moving/queries.ts';
import { writeMerchant } from '../../../src/operator/moving/write-merchant.ts';
import { busyShop, exported, get, openMovingStage, places } from '../../support/moving-stage.ts';
import { waitFor } from '../../support/wait-for.ts';

openMovingStage();

test('an age key that is refused closes no business', async () => {
  const { world } = places.from;
  const { merchantId } = await busyShop();
  const command = moveCommands['export-business']!;
  assert.ok(command.needs === 'database');
  const folder = mkdtempSync(join(tmpdir(), 'milaan-move-'));
  const into = join(folder, 'shop.age');
  await assert.rejects(command.run(world, { business: String(merchantId), into, key: 'age1bogus' }));
  const [row] = await world.sql`select moved_at from merchants where merchant_id = ${merchantId}`;
  assert.equal(row!['moved_at'], null);
  rmSync(folder, { recursive: true });
});

test('a business that is taken back during its export works, and nothing is left paused', async () => {
  const { world } = places.from;
  const { merchantId } = await busyShop();
  const begin = () => world.sql.begin(tx => beginMove(tx, merchantId, 'leaving', world.clock.now()));
  const undo = () => world.sql.begin(tx => undoMove(tx, merchantId, world.clock.now()));
  await begin();
  const began = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const busy = world.sql.begin(async tx => {
    await tx`select 1`;
    began.resolve();
    await over.promise;
  });
  await began.promise;
  assert.equal((await selectOpenTransactions(world.sql)).length, 1);
  // It has seen who is busy: its second look is in a statement behind the first.
  let looks = 0;
  const counting = new Proxy(world.sql, {
    apply: (sql, self, given) => {
      looks++;
      return Reflect.apply(sql, self, given);
    },
  });
  const refused = assert.rejects(
    pauseMerchant({ ...world, sql: counting }, merchantId, 'leaving'),
    /move was undone/,
  );
  await waitFor('a second look', async () => looks > 1);
  await undo();
  over.resolve();
  await busy;
  await refused;
  const parked = await world.sql`
    select from delivery_queue where merchant_id = ${merchantId} and due_at = 'infinity'
    union all select from mails where merchant_id = ${merchantId} and next_try_at = 'infinity'`;
  assert.equal(parked.length, 0);

  world.clock.advance(second);
  await begin();
  const since = await pauseMerchant(world, merchantId, 'leaving');
  const write = () =>
    writeMerchant(world, { merchantId, name: 'x', kind: 'leaving', since }, () => Promise.resolve());
  await undo();
  await assert.rejects(write(), /move was undone/);
  world.clock.advance(second);
  await begin();
  await assert.rejects(
    write(),
    /move was undone/,
    'begun again: what was waited for then is not waited for now',
  );
});

test('only one file of a business is written at a time, and a stalled reader loses it', async () => {
  const { world } = places.from;
  const { merchantId } = await busyShop();
  const raw = randomBytes(100_000);
  await world.sql`
    insert into raw_mails (merchant_id, alert_id, arrived_at, raw)
    select ${merchantId}, 'alert_' || i, ${world.clock.now()}, ${raw} from generate_series(1, 40) i`;
  await world.sql.begin(tx => beginMove(tx, merchantId, 'leaving', world.clock.now()));
  const what = { merchantId, name: 'x', kind: 'leaving' as const };
  const since = await pauseMerchant(world, merchantId, 'leaving');
  const file = (within?: number) => packArchive(world, { ...what, since }, within);
  const unread = await file();
  await assert.rejects(file(), /is already being written/);
  unread.destroy();
  const isFree = async () =>
    await file(1).then(
      stream => once(stream, 'error').then(([error]) => assert.match(error.message, /not read in its time/)),
      () => null,
    );
  await waitFor('the first to end', async () => (await isFree()) === undefined);
  await waitFor('the last to end', async () => {
    // Count only this database's locks: other test files use the same server.
    const locks = await world.sql`
        select from pg_locks join pg_database d on d.oid = database
        where locktype = 'advisory' and datname = current_database()`;
    return locks.length === 0;
  });
});

test('an order that is being created during the export is waited for, and arrives', async () => {
  const { merchantId, apiKey } = await busyShop();
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const { createOrder } = await import('../../../src/orders/create-order.ts');
  const { world } = places.from;
  let orderId = '';
  const began = Promise.withResolvers<void>();
  const creating = world.sql.begin(async tx => {
    const request = { merchantOrderId: 'late', amount: 5_000, account: null, customer: null } as never;
    const urls = { successUrl: 'https://a.in', failureUrl: 'https://a.in', webhookUrl: 'https://a.in' };
    const made = await createOrder(tx, world, { merchantId, signedIn: true }, {
      ...(request as object),
      ...urls,
    } as never);
    orderId = made.order.order_id;
    began.resolve();
    await held;
  });
  await began.promise;
  const writing = exported(merchantId);
  await waitFor('the fence', async () => (await get(places.from.app, '/orders', apiKey)).statusCode === 403);
  release();
  await creating;
  assert.ok(gunzipSync(readFileSync(await writing)).includes(orderId));
});

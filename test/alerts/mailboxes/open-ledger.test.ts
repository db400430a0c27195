import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LostLease } from '../../../src/alerts/mailboxes/explain-failure.ts';
import { openLedger } from '../../../src/alerts/mailboxes/queries/positions.ts';
import type { Transaction } from '../../../src/base/database/connect.ts';
import { addTestMerchant, openTestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const world = use(openTestWorld);

const fence = 7;

async function held(): Promise<{ merchantId: number; fence: number }> {
  const { merchantId } = await addTestMerchant(world);
  await world.sql`
    insert into mailboxes (merchant_id, provider, address, username, host, port, credential, revision, connected_at)
    values (${merchantId}, 'other', ${`${merchantId}@test.example`}, 'shop', 'mail.test.example', 993, '', 1, ${world.clock.now()})`;
  await world.sql`insert into mailbox_leases (merchant_id, fence) values (${merchantId}, ${fence})`;
  await world.sql`insert into mailbox_states (merchant_id) values (${merchantId})`;
  return { merchantId, fence };
}

/** Somebody else's change of a row, which stays locked until it is let go. */
async function lock(change: (tx: Transaction) => PromiseLike<unknown>): Promise<() => Promise<unknown>> {
  const [isLocked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = world.sql.begin(async tx => {
    await change(tx);
    isLocked.resolve();
    await release.promise;
  });
  await isLocked.promise;
  return () => {
    release.resolve();
    return locking;
  };
}

const folder = 'INBOX';
const position = () => ({
  uidvalidity: 3,
  next_uid: 12,
  scan_from: world.clock.now(),
  last_mails: ['10/0/1/a', '11/0/1/b'],
  rest_below: 7,
});

test('if watchers write at once, only the one without its lease is refused, and nobody waits for a locked lease', async () => {
  const ledger = openLedger(world);
  const [one, locked, lost] = [await held(), await held(), { ...(await held()), fence: fence - 1 }];
  // A process that renews its leases does the same.
  const release = await lock(
    tx =>
      tx`update mailbox_leases set leased_until = clock_timestamp() where merchant_id = ${locked.merchantId}`,
  );
  const waiting = ledger.writePosition({ held: locked, folder, position: position() });
  const [written, refused] = await Promise.allSettled(
    [one, lost].map(each => ledger.writePosition({ held: each, folder, position: position() })),
  );
  assert.equal(written?.status, 'fulfilled');
  assert.ok(refused?.status === 'rejected' && refused.reason instanceof LostLease);
  const read = () =>
    Promise.all([one, locked, lost].map(({ merchantId }) => ledger.readPosition({ merchantId, folder })));
  assert.deepEqual(await read(), [position(), null, null]);
  await Promise.all([release(), waiting]);
  assert.deepEqual(await read(), [position(), position(), null]);
});

test('a row that the database refuses for one mailbox does not prevent the others’ rows', async () => {
  const ledger = openLedger(world);
  const [one, other] = [await held(), await held()];
  const results = await Promise.allSettled([
    ledger.writePosition({ held: one, folder, position: position() }),
    ledger.writePosition({ held: other, folder: 'no\u0000name', position: position() }),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.deepEqual(await ledger.readPosition({ merchantId: one.merchantId, folder }), position());
});

test('only the holder of a mailbox’s lease changes its state, each at its own time', async () => {
  const ledger = openLedger(world);
  const [one, other, lost] = [await held(), await held(), { ...(await held()), fence: fence - 1 }];
  const [now, before] = [world.clock.now(), new Date(world.clock.now().getTime() - 1000)];
  const noted = [
    { ...one, now },
    { ...other, now: before },
    { ...lost, now },
  ];
  await Promise.all(noted.map(each => ledger.recordGoodPoll(each)));
  await Promise.all(noted.map(each => ledger.recordConnected(each)));
  const rows = await world.sql`
    select last_good_poll, connected_since
    from unnest(${noted.map(each => each.merchantId)}::bigint[]) with ordinality as a (merchant_id, place)
      join mailbox_states using (merchant_id)
    order by place`;
  assert.deepEqual(
    rows.map(row => [row['last_good_poll'], row['connected_since']]),
    [
      [now, now],
      [before, before],
      [null, null],
    ],
  );
});

test('a locked mailbox state delays no other mailbox, and is written once it is free', async () => {
  const { sql } = world;
  const ledger = openLedger(world);
  const [one, locked] = [await held(), await held()];
  const release = await lock(
    tx => tx`select from mailbox_states where merchant_id = ${locked.merchantId} for update`,
  );
  const now = world.clock.now();
  let isWritten = false;
  const waiting = ledger.recordGoodPoll({ ...locked, now }).then(() => {
    isWritten = true;
  });
  await ledger.recordGoodPoll({ ...one, now });
  assert.equal(isWritten, false);
  await Promise.all([release(), waiting]);
  const rows = await sql`
    select last_good_poll from mailbox_states where merchant_id in (${one.merchantId}, ${locked.merchantId})`;
  assert.deepEqual(
    rows.map(row => row['last_good_poll']),
    [now, now],
  );
});

test('a mailbox that is removed while many write their first positions is removed, and the others are written', async () => {
  const ledger = openLedger(world);
  const [one, leaving] = [await held(), await held()];
  const release = await lock(tx => tx`delete from mailboxes where merchant_id = ${leaving.merchantId}`);
  const refused = assert.rejects(
    ledger.writePosition({ held: leaving, folder, position: position() }),
    LostLease,
  );
  await ledger.writePosition({ held: one, folder, position: position() });
  await Promise.all([release(), refused]);
  assert.deepEqual(await ledger.readPosition({ merchantId: one.merchantId, folder }), position());
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { day, minute } from '../../../src/base/clock.ts';
import { addUser } from '../../../src/business/accounts/add-user.ts';
import { signIn } from '../../../src/business/accounts/sign-in.ts';
import { moveInside, tidy } from '../../../src/operator/cells/move-inside.ts';
import { settleRestored } from '../../../src/operator/cells/settle-restored.ts';
import { beginMove } from '../../../src/operator/moving/hold-still.ts';
import { openTestCells, type TestCells } from '../../support/test-cells.ts';
import { addTestMerchant, type TestWorld } from '../../support/test-world.ts';
import { waitFor } from '../../support/wait-for.ts';

let stage: TestCells;
before(async () => {
  stage = await openTestCells({}, 2);
});
after(() => stage.stop());
const quiet = () => {};

test('tidying leaves a business that moved back while it was busy with another', async () => {
  const [from, _to] = stage.worlds as [TestWorld, TestWorld];
  const y = (await addTestMerchant(from)).merchantId;
  const x = (await addTestMerchant(from)).merchantId;
  await moveInside(stage.cells, { merchantId: y, to: 1 }, quiet);
  from.clock.advance(1000);
  await moveInside(stage.cells, { merchantId: x, to: 1 }, quiet);
  from.clock.advance(day + minute);
  let go = () => {};
  const gate = new Promise<void>(resolve => (go = resolve));
  let isThere = () => {};
  const there = new Promise<void>(resolve => (isThere = resolve));
  // somebody holds a row of y for a while: tidy is busy there
  const holding = from.sql.begin(async tx => {
    await tx`select from merchants where merchant_id = ${y} for update`;
    isThere();
    await gate;
  });
  await there;
  const tidying = tidy(stage.cells, from);
  await waitFor('tidying to wait', async () => {
    const rows =
      await from.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return rows.length > 0;
  });
  await moveInside(stage.cells, { merchantId: x, to: 0 }, quiet);
  const open = () => from.sql`select from merchants where merchant_id = ${x} and moved_at is null`;
  assert.equal((await open()).length, 1);
  go();
  await holding;
  await tidying;
  assert.equal((await open()).length, 1, 'the living business is still there');
});

test('settling leaves a business closed that was exported to elsewhere', async () => {
  const [from, _to] = stage.worlds as [TestWorld, TestWorld];
  for (const { merchantId } of stage.merchants)
    for (const w of stage.worlds)
      await w.sql`update merchants set moved_at = created_at where merchant_id = ${merchantId} and name = 'WRONG CELL'`;
  const { merchantId } = await addTestMerchant(from);
  await from.sql.begin(tx => beginMove(tx, merchantId, 'inside', from.clock.now()));
  const { recordDeed, byOperator } = await import('../../../src/business/accounts/record-deed.ts');
  await from.sql.begin(tx =>
    recordDeed(tx, byOperator(from, merchantId), { action: 'business.export', subject: 'x' }),
  );
  const [row] = await from.sql`select moved_at from merchants where merchant_id = ${merchantId}`;
  assert.notEqual(row!['moved_at'], null, 'it still stands still');
});

test('after cell 0 came back from a backup, people of cell 1 who came since sign in', async () => {
  const [from, to] = stage.worlds as [TestWorld, TestWorld];
  const { merchantId } = await addTestMerchant(to);
  for (const n of [1, 2, 3, 4, 5, 6])
    await to.sql.begin(tx =>
      addUser(tx, to, merchantId, { email: `new${n}@x.in`, password: 'a long password 1', role: 'owner' }),
    );
  const caller = { address: '10.0.0.1', agent: '' };
  const tryAll = async () => {
    const out: string[] = [];
    for (const n of [1, 2, 3, 4, 5, 6])
      out.push(
        (await signIn(from, { email: `new${n}@x.in`, password: 'a long password 1', ...caller })).outcome,
      );
    return out;
  };
  assert.deepEqual(new Set(await tryAll()), new Set(['signed_in']));
  // cell 0 as its backup was: before these signed up
  await from.sql`delete from taken where name like 'new%'`;
  await settleRestored(stage.cells, from);
  const after = await tryAll();
  assert.deepEqual(new Set(after), new Set(['signed_in']));
});

test('a business that moved long ago is found by a process that starts without cell 0', async () => {
  const three = await openTestCells({}, 3);
  try {
    const [home, one, two] = three.worlds as [TestWorld, TestWorld, TestWorld];
    const { merchantId, apiKey } = await addTestMerchant(one);
    await moveInside(three.cells, { merchantId, to: 2 }, quiet);
    one.clock.advance(day + minute);
    await tidy(three.cells, one);
    await (await import('../../../src/operator/cells/copy-installation.ts')).copyToOthers({
      cells: three.cells,
    });
    const { openCells } = await import('../../../src/base/cells.ts');
    const { awaySql } = await import('../../../src/base/database/away-sql.ts');
    const { idsEnd } = await import('../../../src/base/settings/config-cells.ts');
    const { findCaller } = await import('../../../src/business/merchants/find-caller.ts');
    const { readApiKey } = await import('../../../src/business/merchants/api-key.ts');
    const worlds = [{ ...home, sql: awaySql() }, { ...one }, { ...two }];
    const fresh = openCells(
      { ranges: worlds.map((_, cell) => ({ from: Math.floor((idsEnd / 3) * cell), cell })), newCell: 2 },
      worlds,
    );
    await assert.rejects(fresh.look());
    const world = fresh.of(merchantId);

    const outcome = await findCaller(world, readApiKey(apiKey)!).then(
      () => 'found',
      error => error.code,
    );
    assert.ok(['service_unavailable', 'found'].includes(outcome));
  } finally {
    await three.stop();
  }
});

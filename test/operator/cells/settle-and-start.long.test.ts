import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { day, minute } from '../../../src/base/clock.ts';
import { connect, type Sql } from '../../../src/base/database/connect.ts';
import { freePort } from '../../../src/base/free-port.ts';
import { newSecretKey } from '../../../src/base/secrets.ts';
import { idsEnd } from '../../../src/base/settings/config-cells.ts';
import { StartError } from '../../../src/base/start-error.ts';
import { addUser } from '../../../src/business/accounts/add-user.ts';
import { byOperator, recordDeed } from '../../../src/business/accounts/record-deed.ts';
import { signIn } from '../../../src/business/accounts/sign-in.ts';
import { moveInside, takeBack, tidy } from '../../../src/operator/cells/move-inside.ts';
import { settleRestored } from '../../../src/operator/cells/settle-restored.ts';
import { beginMove } from '../../../src/operator/moving/hold-still.ts';
import { moveCommands } from '../../../src/operator/moving/move-commands.ts';
import { openCellWorlds } from '../../../src/operator/open-cell-worlds.ts';
import { upgradeCommand } from '../../../src/operator/upgrade.ts';
import { runMilaan } from '../../support/run-milaan.ts';
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

test('a business that was exported to elsewhere is neither moved nor opened by settling', async () => {
  const [from, to] = stage.worlds as [TestWorld, TestWorld];
  const { merchantId } = await addTestMerchant(to);
  await to.sql.begin(async tx => {
    await beginMove(tx, merchantId, 'inside', to.clock.now());
    await recordDeed(tx, byOperator(to, merchantId), { action: 'business.export', subject: 'x' });
  });
  await settleRestored(stage.cells, from);
  const onlyByUndo = /only export-business --undo opens it here/;
  await assert.rejects(moveInside(stage.cells, { merchantId, to: 0 }, quiet), onlyByUndo);
  await assert.rejects(takeBack(stage.cells, { merchantId, to: 0 }), onlyByUndo);
  const [row] = await to.sql`select moved_at from merchants where merchant_id = ${merchantId}`;
  assert.notEqual(row!['moved_at'], null, 'it still stands still');
});

test('no file is written of what a move has left behind', async () => {
  const [from] = stage.worlds as [TestWorld, TestWorld];
  const { merchantId } = await addTestMerchant(from);
  await moveInside(stage.cells, { merchantId, to: 1 }, quiet);
  const into = join(mkdtempSync(join(tmpdir(), 'milaan-fence-')), 'shop.tar');
  const options = { business: String(merchantId), into, inside: '' };
  await assert.rejects(
    moveCommands['export-business']!.run(from as never, options as never),
    /moved to another cell meanwhile/,
  );
  assert.equal(existsSync(into), false);
});

test('a business that stands still for another reason is not opened by somebody who asks for its cell', async () => {
  const [from] = stage.worlds as [TestWorld, TestWorld];
  const { merchantId } = await addTestMerchant(from);
  await from.sql.begin(tx => beginMove(tx, merchantId, 'leaving', from.clock.now()));
  await assert.rejects(moveInside(stage.cells, { merchantId, to: 0 }, quiet), /is in cell 0 already/);
  const open = await from.sql`select from merchants where merchant_id = ${merchantId} and moved_at is null`;
  assert.deepEqual(open, []);
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

/** Two databases as a program or a command meets them; `open` as `connect` does unless the test says otherwise. */
function meet(urls: string[], how: Partial<Parameters<typeof openCellWorlds>[2]> = {}) {
  const { sql: _, metrics: __, cells: ___, ...shared } = stage.worlds[0]!;
  const ranges = urls.map((_, cell) => ({ from: Math.floor((idsEnd / 2) * cell), cell }));
  const map = { file: '', urls, newCell: 1, ranges };
  const open = async (url: string) => connect(url, { most: 2 });
  return openCellWorlds(map, shared, { open, say: quiet, patient: true, pause: 20, ...how });
}
const urlsOf = () => stage.worlds.map(({ databaseUrl }) => databaseUrl);

test('a cell that was away at the start comes by itself; one that comes behind the stop is closed again', async () => {
  const urls = urlsOf();
  let tries = 0;
  const { world, close } = await meet(urls, {
    async open(url) {
      if (url === urls[1] && ++tries < 3) throw new StartError('away');
      return connect(url, { most: 2 });
    },
  });
  const late = world.cells!.worlds[1]!;
  await assert.rejects(late.sql`select 1`, /not reached/);
  await world.cells!.awaited(1);
  assert.equal((await late.sql`select 1`).length, 1);
  await close();

  const given = Promise.withResolvers<Sql>();
  const slow = await meet(urls, {
    open: async url => (url === urls[1] ? await given.promise : connect(url, { most: 2 })),
  });
  await slow.close();
  const sql = connect(urls[1]!, { most: 1 });
  const end = mock.method(sql, 'end');
  given.resolve(sql);
  await assert.rejects(slow.world.cells!.awaited(1)!, { name: 'AbortError' });
  assert.equal(end.mock.callCount(), 1);
});

test('an upgrade looks at a cell that is empty', async () => {
  const name = `milaan_empty_${process.pid}`;
  const { sql, databaseUrl } = stage.worlds[0]!;
  await sql.unsafe(`create database ${name}`);
  const empty = new URL(databaseUrl);
  empty.pathname = `/${name}`;
  const { world, close } = await meet([databaseUrl, empty.href], { patient: false, readsBanks: false });
  const said = mock.method(console, 'log', quiet);
  try {
    assert.ok(upgradeCommand.needs === 'any schema');
    assert.equal(await upgradeCommand.run(world, { 'dry-run': '' }), 0);
    const lines = said.mock.calls.map(call => call.arguments.join(' '));
    assert.match(lines.join('\n'), /cell 0\nthe database is at .* already\ncell 1\nan empty database/);
  } finally {
    said.mock.restore();
    await close();
    await sql.unsafe(`drop database ${name} with (force)`);
  }
});

test('without cell 0 a command works on nobody, and one that asks every cell asks the others', async () => {
  const [, to] = stage.worlds as [TestWorld, TestWorld];
  const { merchantId } = await addTestMerchant(to);
  const away = new URL(to.databaseUrl);
  away.port = String(await freePort());
  const file = join(mkdtempSync(join(tmpdir(), 'milaan-')), 'cells.json');
  const ranges = [0, Math.floor(idsEnd / 2)].map((from, cell) => ({ from, cell }));
  writeFileSync(file, JSON.stringify({ cells: [away.href, to.databaseUrl], new: 1, ranges }));
  const env = { PUBLIC_URL: 'https://pay.example.in', CELLS_FILE: file, SECRET_KEY: newSecretKey() };
  const halt = await runMilaan(env, 'disable', '--business', String(merchantId), '--reason', 'shut');
  assert.match(halt.err, /^milaan: the database at .* cannot be reached/m);
  const [row] = await to.sql`select disabled_at from merchants where merchant_id = ${merchantId}`;
  assert.deepEqual([halt.code, row!['disabled_at']], [1, null]);
  const listed = await runMilaan(env, 'list-businesses');
  assert.match(listed.out, new RegExp(`^${merchantId}\tactive`, 'm'));
  assert.match(listed.err, /cell 0 is away: its businesses are not listed/);
  const cells = await runMilaan(env, 'cells', 'list');
  assert.match(cells.out, /^cell 0 .* AWAY[\s\S]*^cell 1 .* \d+ businesses/m);
  assert.equal(cells.code, 1);
});

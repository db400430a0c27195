import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { connect, type Sql } from '../../../src/base/database/connect.ts';
import { freePort } from '../../../src/base/free-port.ts';
import { newSecretKey } from '../../../src/base/secrets.ts';
import { idsEnd } from '../../../src/base/settings/config-cells.ts';
import { StartError } from '../../../src/base/start-error.ts';
import { upgradeCommand } from '../../../src/operator/commands/upgrade.ts';
import { openCellWorlds } from '../../../src/operator/open-cell-worlds.ts';
import { runMilaan } from '../../support/run-milaan.ts';
import { openTestCells, type TestCells } from '../../support/test-cells.ts';
import { addTestMerchant, type TestWorld } from '../../support/test-world.ts';

let stage: TestCells;
before(async () => {
  stage = await openTestCells({}, 2);
});
after(() => stage.stop());
const quiet = () => {};

/** Two databases as a program or a command meets them; `open` as `connect` does unless the test says otherwise. */
function meet(urls: string[], how: Partial<Parameters<typeof openCellWorlds>[2]> = {}) {
  const { sql: _, metrics: __, cells: ___, ...shared } = stage.worlds[0]!;
  const ranges = urls.map((_, cell) => ({ from: Math.floor((idsEnd / 2) * cell), cell }));
  const map = { file: '', urls, newCell: 1, ranges };
  const open = async (url: string) => connect(url, { most: 2 });
  return openCellWorlds(map, shared, { open, say: quiet, as: 'program', pause: 20, ...how });
}
const urlsOf = () => stage.worlds.map(({ databaseUrl }) => databaseUrl);

test('a cell that is down at the start is used once it is back; one that comes back after the stop is closed again', async () => {
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

test('an upgrade includes an empty cell', async () => {
  const name = `milaan_empty_${process.pid}`;
  const { sql, databaseUrl } = stage.worlds[0]!;
  await sql.unsafe(`create database ${name}`);
  const empty = new URL(databaseUrl);
  empty.pathname = `/${name}`;
  const { world, close } = await meet([databaseUrl, empty.href], { as: 'upgrade' });
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

test('while cell 0 is down, a command about another cell’s business works, and one about every cell asks the others', async () => {
  const [, to] = stage.worlds as [TestWorld, TestWorld];
  const { merchantId } = await addTestMerchant(to);
  const away = new URL(to.databaseUrl);
  away.port = String(await freePort());
  const file = join(mkdtempSync(join(tmpdir(), 'milaan-')), 'cells.json');
  const ranges = [0, Math.floor(idsEnd / 2)].map((from, cell) => ({ from, cell }));
  writeFileSync(file, JSON.stringify({ cells: [away.href, to.databaseUrl], new: 1, ranges }));
  const env = { PUBLIC_URL: 'https://pay.example.in', CELLS_FILE: file, SECRET_KEY: newSecretKey() };
  const halt = await runMilaan(env, 'disable', '--business', String(merchantId), '--reason', 'shut');
  const [row] = await to.sql`select disabled_at from merchants where merchant_id = ${merchantId}`;
  assert.deepEqual([halt.code, row!['disabled_at'] !== null], [0, true], halt.err);
  // The installation's own data is in cell 0.
  const made = await runMilaan(
    env,
    'create-operator',
    '--email',
    'o@x.in',
    '--password',
    'a long password 1',
  );
  assert.match(made.err, /^milaan: the database at .* cannot be reached/m);
  assert.equal(made.code, 1);
  const listed = await runMilaan(env, 'list-businesses');
  assert.match(listed.out, new RegExp(`^${merchantId}\tdisabled`, 'm'));
  assert.match(listed.err, /cell 0 is down: its businesses are not listed/);
  const cells = await runMilaan(env, 'list-cells');
  assert.match(cells.out, /^cell 0 .* DOWN[\s\S]*^cell 1 .* \d+ businesses/m);
  assert.equal(cells.code, 1);
});

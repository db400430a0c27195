import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { day, minute } from '../../../src/base/clock.ts';
import { unreachableSql } from '../../../src/base/database/unreachable-sql.ts';
import { openCells } from '../../../src/base/open-cells.ts';
import { idsEnd } from '../../../src/base/settings/config-cells.ts';
import { StartError } from '../../../src/base/start-error.ts';
import { tablesOfAMerchant } from '../../../src/business/accounts/queries/merchants.ts';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { selectPlans, writePlans } from '../../../src/business/merchants/plans.ts';
import { checkMap } from '../../../src/operator/cells/check-map.ts';
import { copyInstallation } from '../../../src/operator/cells/copy-installation.ts';
import { removeCopies } from '../../../src/operator/cells/start-sharing.ts';
import { createWithOwner } from '../../../src/operator/commands/merchant-commands.ts';
import { moveCommands } from '../../../src/operator/moving/move-commands.ts';
import { fillMerchant } from '../../support/dashboard-merchant.ts';
import { openTestCells, type TestCells } from '../../support/test-cells.ts';
import type { TestWorld } from '../../support/test-world.ts';

let stage: TestCells;
const folder = mkdtempSync(join(tmpdir(), 'milaan-cells-'));
before(async () => {
  stage = await openTestCells();
  mock.method(console, 'log', () => {});
});
after(async () => {
  mock.restoreAll();
  rmSync(folder, { recursive: true, force: true });
  await stage.stop();
});

const command = (name: string) => {
  const found = moveCommands[name]!;
  assert.ok(found.needs === 'database');
  return found.run;
};

test('a business moves by an export, two lines in the file and an import; its old copy is deleted a day later, and only the copy', async () => {
  const [from, to] = stage.worlds as [TestWorld, TestWorld];
  const { merchantId } = await fillMerchant(from);
  await from.sql`delete from deliveries_in_hand where merchant_id = ${merchantId}`;
  const into = join(folder, 'shop.tar.gz');
  await command('export-business')(from, { business: String(merchantId), into, inside: '' });
  const ranges = [
    { from: 0, cell: 0 },
    { from: merchantId, cell: 1 },
    { from: merchantId + 1, cell: 0 },
    { from: idsEnd / 2, cell: 1 },
  ];
  const cells = openCells({ ranges, newCell: 1 }, stage.worlds);
  await command('import-business')(from, { file: into });
  assert.equal(cells.of(merchantId), to);
  const rows = async ({ sql }: TestWorld) =>
    Object.fromEntries(
      await Promise.all(
        tablesOfAMerchant.map(async table => {
          const [row] = await sql.unsafe(
            `select count(*)::int as count from ${table} where merchant_id = $1`,
            [merchantId],
          );
          return [table, row!['count']] as const;
        }),
      ),
    );
  const there = await rows(to);
  assert.ok(there['orders']! > 0 && there['alerts']! > 0);
  // A process that starts with the new file finds each business in its place, except this stage's twins.
  await to.sql`delete from merchants where name = 'WRONG CELL'`;
  await checkMap(to.sql, { file: '', urls: [], newCell: 1, ranges }, 1);
  await removeCopies(cells, from);
  assert.equal((await rows(from))['merchants'], 1, 'a process with the older file finds it standing still');
  await assert.rejects(
    async () => command('export-business')(from, { business: String(merchantId), undo: '' }),
    /was imported into cell 1 since, and that copy is newer: nothing was opened/,
  );
  from.clock.advance(1 * day + 1 * minute);
  // Reopen the older copy and pause the newer one, which alone has the last payments.
  const back = openCells({ ranges: [{ from: 0, cell: 0 }], newCell: 0 }, stage.worlds);
  await from.sql`update merchants set moved_at = null where merchant_id = ${merchantId}`;
  await to.sql`update merchants set moved_at = ${new Date(0)} where merchant_id = ${merchantId}`;
  await removeCopies(back, to);
  openCells({ ranges, newCell: 1 }, stage.worlds);
  assert.deepEqual(await rows(to), there, 'the newer copy stays');
  await to.sql`update merchants set moved_at = null where merchant_id = ${merchantId}`;
  await from.sql`update merchants set moved_at = ${new Date(0)} where merchant_id = ${merchantId}`;
  await removeCopies(cells, from);
  for (const [table, count] of Object.entries(await rows(from))) assert.equal(count, 0, table);
  assert.deepEqual(await rows(to), there);
  await removeCopies(cells, to);
  assert.deepEqual(await rows(to), there, 'what is open is no copy');
});

test('plans and bank entries of cell 0 are copied to the other cells, and deleted there when nobody uses them', async () => {
  const [home, cell] = stage.worlds as [TestWorld, TestWorld];
  const plans = (world: TestWorld) => world.sql`select plan, monthly_limit_paise from plans order by plan`;
  const copy = () => copyInstallation(home.sql, cell.sql, cell.clock.now());
  await home.sql`insert into plans (plan, monthly_limit_paise) values ('small', 100), ('large', 900)`;
  const entry = { id: 'test', bank: 'test' };
  await home.sql`
    insert into bank_entries (bank, entry, note, saved_at, saved_by)
    values ('test', ${home.sql.json(entry)}, '', ${home.clock.now()}, 'o@x.in')`;
  await copy();
  assert.deepEqual([...(await plans(cell))], [...(await plans(home))]);
  const merchantId = await createMerchant(cell.sql, cell, { name: 'On large', plan: 'large' });
  const without = (await selectPlans(home.sql)).filter(({ plan }) => plan !== 'large');
  const remove = () => home.sql.begin(tx => writePlans(tx, without, { cells: stage.cells }));
  await assert.rejects(remove(), /plan "large" is not in the file, but businesses are on it \(1\)/);
  const { sql } = cell;
  cell.sql = unreachableSql();
  await assert.rejects(remove(), /cell 1 is down/);
  cell.sql = sql;
  await home.sql`update plans set monthly_limit_paise = 200 where plan = 'small'`;
  await home.sql`delete from plans where plan = 'large'`;
  await home.sql`update bank_entries set removed_at = saved_at`;
  await copy();
  const names = (await plans(cell)).map(({ plan }) => plan);
  assert.deepEqual(names, ['large', 'small', 'standard'], 'one that somebody is on stays');
  const [limit] = await cell.sql`select monthly_limit_paise from plans where plan = 'small'`;
  assert.equal(limit!['monthly_limit_paise'], 200);
  assert.equal((await cell.sql`select from bank_entries where removed_at is not null`).length, 1);
  await cell.sql`update merchants set plan = 'standard' where merchant_id = ${merchantId}`;
  await home.sql`delete from plans where plan = 'small'`;
  await copy();
  assert.deepEqual([...(await plans(cell))], [...(await plans(home))]);
});

test('create-business opens a shop in the cell that --cell names, and refuses one that is not there or has no ids', async () => {
  const [home] = stage.worlds as [TestWorld];
  const { cells: _, cell: __, ...alone } = home;
  const half = { from: idsEnd / 2, cell: 1 };
  openCells({ ranges: [{ from: 0, cell: 0 }, half], newCell: 1 }, stage.worlds);
  const create = (cell: string, world = home) =>
    createWithOwner(world, { name: 'Second shop', email: `owner-${cell}@example.in`, cell });
  const refusal = async (cell: string, world = home) => {
    const error: unknown = await create(cell, world).catch(failed => failed);
    // The command line prints any other error with its stack.
    assert.ok(error instanceof StartError, String(error));
    return error.message;
  };
  for (const cell of ['0', '1']) assert.equal(await create(cell), 0);
  for (const cell of ['2', '-1', '0.5', 'one', ''])
    assert.equal(await refusal(cell), `there is no cell ${cell}: list-cells shows them`);
  assert.match(await refusal('0', alone), /^there is no cell 0/);
  openCells({ ranges: [{ from: 0, cell: 0 }], newCell: 0 }, stage.worlds);
  assert.equal(await refusal('1'), 'cell 1 has no ids: give it a range in CELLS_FILE');
  for (const [cell, { sql }] of stage.worlds.entries()) {
    const shops = await sql<{ cell: number; email: string }[]>`
      select floor(m.merchant_id / ${half.from})::int as cell, u.email
      from merchants m join users u using (merchant_id) where m.name = 'Second shop'`;
    assert.deepEqual([...shops], [{ cell, email: `owner-${cell}@example.in` }]);
  }
});

import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { openCells } from '../../../src/base/open-cells.ts';
import { idsEnd, readCellsFile } from '../../../src/base/settings/config-cells.ts';
import { openReader } from '../../../src/base/settings/config-values.ts';
import { createMerchant } from '../../../src/business/merchants/create-merchant.ts';
import { selectPlans } from '../../../src/business/merchants/plans.ts';
import { insertMerchant } from '../../../src/business/merchants/queries.ts';
import { dropOldBackups } from '../../../src/operator/backup/backup.ts';
import { addCell, cellCommands, chooseRange } from '../../../src/operator/cells/cell-commands.ts';
import { checkMap } from '../../../src/operator/cells/check-map.ts';
import { applyPlansFile } from '../../../src/operator/commands/describe-plans.ts';
import { addTestMerchant, openTestWorld, type TestWorld } from '../../support/test-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'milaan-cells-'));
const worlds: TestWorld[] = [];
after(async () => {
  for (const world of worlds) await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

const quiet = () => {};

async function newWorld(): Promise<TestWorld> {
  const world = await openTestWorld();
  worlds.push(world);
  return world;
}

test('the new cell gets the upper half of the largest gap, and has no business', () => {
  const all = [{ from: 0, last: 999_999_999, cell: 0 }];
  const { from, last, owner } = chooseRange(all, [100, 400_000_000]);
  assert.deepEqual({ from, last, owner }, { from: 700_000_000, last: 999_999_999, owner: 0 });
  const between = chooseRange(
    [...all, { from: 1_000_000_000, last: 9_000_000_000, cell: 1 }],
    [8_000_000_000],
  );
  assert.equal(between.owner, 1);
  assert.ok(between.from > 1_000_000_000 && between.last < 8_000_000_000);
  assert.throws(() => chooseRange([{ from: 0, last: 1000, cell: 0 }], []), /no range of ids is left/);
});

test('one command makes two databases of one, and a second opens it; each creates businesses only of its own ids', async () => {
  const [first, second, third] = [await newWorld(), await newWorld(), await newWorld()];
  await addTestMerchant(first);
  first.config = { ...first.config, databaseUrl: first.databaseUrl };
  const file = join(folder, 'cells.json');
  const said: string[] = [];
  await addCell(first, second.databaseUrl, file, line => said.push(line));
  assert.ok(!said.join().includes(':milaan@') && said.some(line => /cell 1: .* is ready/.test(line)));
  const read = () => readCellsFile(openReader({ CELLS_FILE: file }, assert.fail))!;
  const map = read();
  assert.deepEqual([map.urls, map.newCell], [[first.databaseUrl, second.databaseUrl], 0]);
  const given = map.ranges.find(({ cell }) => cell === 1)!.from;
  const row = { name: 'Late', plan: 'standard', created_at: first.clock.now(), webhook_secret: '' };
  await assert.rejects(
    first.sql.begin(tx => insertMerchant(tx, { ...row, merchant_id: given })),
    { code: 'ML503' },
  );

  const join_ = (all: TestWorld[], ranges: typeof map) => {
    for (const [cell, world] of all.entries()) Object.assign(world, { cell });
    return openCells(ranges, all);
  };
  const cells = join_([first, second], map);
  // Until every process knows the new cell, new businesses come to the one that was open.
  assert.equal(cells.of(cells.newId()), first);
  const merchantId = await createMerchant(second.sql, second, { name: 'New' });
  assert.equal(cells.of(merchantId), second);
  // From a shell that still has only DATABASE_URL, the number and the ids would be assigned twice.
  const { cells: _, ...older } = first;
  const other = join(folder, 'other.json');
  await assert.rejects(addCell(older, third.databaseUrl, other, quiet), /there is a cell 1 already/);
  assert.ok(!existsSync(other));
  first.config = { ...first.config, cells: map };
  await assert.rejects(addCell(first, second.databaseUrl, file, quiet), /cell 1 is this database already/);
  const again = `${first.databaseUrl}${first.databaseUrl.includes('?') ? '&' : '?'}application_name=x`;
  await assert.rejects(addCell(first, again, file, quiet), /is cell 0 already/);

  // Killed before the file was written, and started again.
  await assert.rejects(addCell(first, third.databaseUrl, join(folder, 'no', '\0'), quiet));
  chmodSync(file, 0o640);
  if (process.getuid?.() === 0) chownSync(file, 1234, 1235);
  const rights = ({ mode, uid, gid } = statSync(file)) => [mode, uid, gid];
  const readers = rights();
  await addCell(first, third.databaseUrl, file, quiet);
  assert.ok(existsSync(`${file}.before`));
  assert.deepEqual(rights(), readers, 'whoever could read it can');
  const grown = read();
  assert.equal(grown.newCell, 0);
  const range = grown.ranges.find(({ cell }) => cell === 2)!.from;
  assert.equal(cells.of(merchantId), second);
  // A process that starts with the previous file would look for the new cell's businesses elsewhere.
  for (const [cell, { sql }] of [first, second].entries()) {
    await assert.rejects(
      checkMap(sql, map, cell),
      /gives the ids from \d+ on to cell \d, and cell \d knows them as cell 2's/,
    );
    await checkMap(sql, grown, cell);
  }
  for (const one of [first, second])
    await assert.rejects(
      one.sql.begin(tx => insertMerchant(tx, { ...row, merchant_id: range }, one.cell)),
      {
        code: 'ML503',
      },
    );
  const every = join_([first, second, third], grown);
  assert.equal(every.of(every.newId()), first);
  const open = async (number: string) => {
    const command = cellCommands['open-cell']!;
    assert.ok(command.needs === 'database');
    return await command.run({ ...first, config: { ...first.config, cells: grown } }, { cell: number });
  };
  await assert.rejects(open('3'), /there is no cell 3: they are 0 to 2/);
  const log = mock.method(console, 'log', quiet);
  assert.equal(await open('2'), 0);
  log.mock.restore();
  assert.deepEqual(read(), { ...grown, newCell: 2 });
  const opened = join_([first, second, third], read());
  assert.equal(opened.of(opened.newId()), third);
  assert.ok(grown.ranges.every(({ from }) => from < idsEnd));

  const full = await newWorld();
  await addTestMerchant(full);
  await assert.rejects(addCell(first, full.databaseUrl, file, quiet), /holds 1 businesses/);

  // Cell 0 is empty, and another one is not.
  const empty = { ...third, cell: 0 };
  openCells(map, [empty, { ...second, cell: 1 }]);
  writeFileSync(other, '{"gold":{}}');
  await applyPlansFile(empty, other, line => said.push(line));
  assert.match(said.at(-1)!, /^warning: PLANS_FILE differs/);
  assert.deepEqual(
    (await selectPlans(third.sql)).map(({ plan }) => plan),
    ['standard'],
  );
});

test('add-cell drops nothing of a cell that could not be backed up, however old it is', () => {
  const of = (cell: string, day: string) => `milaan-${cell}2026-11-${day}T000000Z.dump.age`;
  const backups = mkdtempSync(join(folder, 'backups-'));
  const kept = [of('cell0-', '17'), of('cell1-', '01'), of('cell1-', '02'), of('cell1-', '16'), 'milaan-x'];
  const dropped = [of('', '01'), of('cell0-', '02')];
  for (const name of [...kept, ...dropped]) writeFileSync(join(backups, name), '');
  assert.deepEqual(dropOldBackups(backups, new Set([0]), new Date('2026-11-03T00:00:00Z')), dropped);
  assert.deepEqual(readdirSync(backups).sort(), kept.toSorted());
});

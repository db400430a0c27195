import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openCells } from '../../src/base/open-cells.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import { openTestCells, type TestCells } from '../support/test-cells.ts';

let stage: TestCells;
before(async () => {
  stage = await openTestCells();
});
after(() => stage.stop());

test('an id names one cell, and the installation itself is in cell 0', () => {
  const { cells, worlds, merchants } = stage;
  for (const [cell, { merchantId }] of merchants.entries()) assert.equal(cells.of(merchantId), worlds[cell]);
  assert.equal(cells.of(0), worlds[0]);
  assert.equal(cells.of(2 ** 47 - 1), worlds[0]);
  assert.equal(cells.of(2 ** 47), worlds[1]);
  assert.equal(cells.of(2 ** 48 - 1), worlds[1]);
});

test('a new business gets an id of the cell for new businesses, and is stored there', async () => {
  const home = stage.cells.of(stage.cells.newId());
  assert.equal(home, stage.worlds[1]);
  const merchantId = await createMerchant(stage.worlds[1]!.sql, home, { name: 'New' });
  assert.equal(stage.cells.of(merchantId), stage.worlds[1]);
  // A business that is opened in a certain cell gets an id of that cell.
  for (let count = 0; count < 20; count++) assert.ok(stage.cells.newId(0) < 2 ** 47);
});

test('an id that the file lists for another cell is in that cell, and new businesses get none of these', () => {
  const moved = 2 ** 48 - 3;
  const ranges = [
    { from: 0, cell: 0 },
    { from: 2 ** 48 - 5, cell: 1 },
    { from: moved, cell: 0 },
    { from: moved + 1, cell: 1 },
  ];
  const worlds = stage.worlds.map(world => ({ ...world }));
  const cells = openCells({ ranges, newCell: 1 }, worlds);
  assert.equal(cells.of(moved), worlds[0]);
  assert.equal(cells.of(moved - 1), worlds[1]);
  assert.equal(cells.of(moved + 1), worlds[1]);
  const drawn = new Set(Array.from({ length: 200 }, () => cells.newId()));
  assert.deepEqual([...drawn].sort(), [moved - 2, moved - 1, moved + 1, moved + 2]);
  assert.throws(() => cells.newId(7), /has no ids/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCells } from '../../src/base/cells.ts';
import { isDatabaseAway } from '../../src/base/database/database-away.ts';
import { createMerchant } from '../../src/business/merchants/create-merchant.ts';
import { openTestCells } from '../support/test-cells.ts';
import { use } from '../support/use.ts';

const stage = use(openTestCells);

test('an id names one cell, and the installation itself is of cell 0', () => {
  const { cells, worlds, merchants } = stage;
  for (const [cell, { merchantId }] of merchants.entries()) assert.equal(cells.of(merchantId), worlds[cell]);
  assert.equal(cells.of(0), worlds[0]);
  assert.equal(cells.of(2 ** 47 - 1), worlds[0]);
  assert.equal(cells.of(2 ** 47), worlds[1]);
  assert.equal(cells.of(2 ** 48 - 1), worlds[1]);
});

test('a new business gets an id of the cell that takes new ones, and lives there', async () => {
  const home = stage.cells.of(stage.cells.newId());
  assert.equal(home, stage.worlds[1]);
  const merchantId = await createMerchant(stage.worlds[1]!.sql, home, { name: 'New' });
  assert.equal(stage.cells.of(merchantId), stage.worlds[1]);
  // Whoever opens one in a certain cell gets an id of that.
  for (let count = 0; count < 20; count++) assert.ok(stage.cells.newId(0) < 2 ** 47);
});

test('what is placed elsewhere counts before the file, and an id that is placed elsewhere is given to nobody', async () => {
  const { cells, worlds, merchants } = stage;
  const { sql, clock } = worlds[0]!;
  const [moved = 0, stays = 0] = merchants.map(one => one.merchantId);
  await sql`insert into placed (merchant_id, cell, since) values (${moved}, 1, ${clock.now()})`;
  assert.equal(cells.of(moved), worlds[0]);
  await cells.look();
  assert.equal(cells.of(moved), worlds[1]);
  assert.equal(cells.of(stays), worlds[1]);
  // A stretch of ids that a newer file gives to a cell of which this process knows nothing.
  await sql`
    insert into placed (merchant_id, last_id, cell, since)
    values (${2 ** 47}, ${2 ** 48 - 5}, 2, ${clock.now()}), (${2 ** 48 - 3}, null, 0, ${clock.now()})`;
  await cells.look();
  await assert.rejects(async () => cells.of(stays).sql`select 1`, isDatabaseAway);
  assert.equal(cells.of(2 ** 48 - 3), worlds[0]);
  assert.equal(cells.of(2 ** 48 - 4), worlds[1]);
  await sql`delete from placed where cell = 2`;
  await cells.look();
  const few = openCells(
    {
      ranges: [
        { from: 0, cell: 0 },
        { from: 2 ** 48 - 3, cell: 1 },
      ],
      newCell: 1,
    },
    [{ ...worlds[0]! }, { ...worlds[1]! }],
  );
  await few.look();
  const drawn = new Set(Array.from({ length: 100 }, () => few.newId()));
  assert.deepEqual([...drawn].sort(), [2 ** 48 - 2, 2 ** 48 - 1]);
  assert.throws(() => few.newId(7), /has no ids/);
  await sql`delete from placed`;
  await cells.look();
});

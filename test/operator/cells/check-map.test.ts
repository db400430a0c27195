import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { idsEnd } from '../../../src/base/settings/config-cells.ts';
import { checkMap } from '../../../src/operator/cells/check-map.ts';
import { openCellWorlds } from '../../../src/operator/open-cell-worlds.ts';
import { openTestWorld, type TestWorld } from '../../support/test-world.ts';

/** A cell's own map, as `add-cell` and release 0.2.0 wrote it, and the operator's file. */

let world: TestWorld;
before(async () => {
  world = await openTestWorld();
});
after(() => world.stop());
beforeEach(async () => {
  await world.sql`delete from placed`;
  await world.sql`delete from audit_log`.catch(() => {});
  await world.sql`delete from history_progress where merchant_id > 0`;
  await world.sql`delete from merchants where merchant_id > 0`;
});

const half = idsEnd / 2;
const map = (...ranges: [from: number, cell: number][]) => ({
  file: '',
  urls: ['postgres://a/a', 'postgres://b/b'],
  newCell: 0,
  ranges: ranges.map(([from, cell]) => ({ from, cell })),
});
const halves = map([0, 0], [half, 1]);
const know = (from: number, last: number | null, cell: number) =>
  world.sql`insert into placed (merchant_id, last_id, cell, since) values (${from}, ${last}, ${cell}, now())`;
const addMerchant = (id: number, movedAt: Date | null = null) => world.sql`
  insert into merchants (merchant_id, name, plan, created_at, webhook_secret, moved_at)
  values (${id}, 'Shop', 'standard', now(), '', ${movedAt})`;

test('a file that matches a cell’s ranges and businesses is accepted, and so is an empty cell', async () => {
  await checkMap(world.sql, halves, 0);
  await know(half, idsEnd - 1, 1);
  await addMerchant(5);
  await checkMap(world.sql, halves, 0);
  // One id by itself: a business that came from cell 1.
  await addMerchant(half + 7);
  await checkMap(world.sql, map([0, 0], [half, 1], [half + 7, 0], [half + 8, 1]), 0);
});

test('an older file is refused, and the message says where its ids belong', async () => {
  await know(half, idsEnd - 1, 1);
  await assert.rejects(
    checkMap(world.sql, map([0, 0]), 0),
    new RegExp(
      `ids from ${half} on to cell 0, and cell 0 knows them as cell 1's: copy the newest CELLS_FILE`,
    ),
  );
});

test('a cell with a business that the file expects in another cell is refused', async () => {
  await addMerchant(half + 7);
  await assert.rejects(
    checkMap(world.sql, halves, 0),
    new RegExp(`cell 0 holds business ${half + 7}, which CELLS_FILE looks for in cell 1`),
  );
});

test('a business that release 0.2.0 moved is refused with the lines for the file, and accepted with them', async () => {
  await know(half, idsEnd - 1, 1);
  await know(9, null, 1);
  await know(half + 9, null, 0);
  const [migration] = await world.sql`delete from migrations where name like '0040%' returning *`;
  const lines = [
    '{"from":0,"cell":0}',
    '{"from":9,"cell":1}',
    '{"from":10,"cell":0}',
    `{"from":${half},"cell":1}`,
    `{"from":${half + 9},"cell":0}`,
    `{"from":${half + 10},"cell":1}`,
  ];
  await assert.rejects(checkMap(world.sql, halves, 0), (error: Error) => {
    assert.match(error.message, /^release 0.2.0 moved businesses 9, \d+ .* Run cells tidy of 0.2.0/);
    assert.deepEqual(
      error.message
        .split('\n')
        .slice(1)
        .map(line => line.trim()),
      lines,
    );
    return true;
  });
  const written = { ...halves, ranges: lines.map(line => JSON.parse(line)) };
  await checkMap(world.sql, written, 0);
  // That release's own command removes what the move left behind.
  await addMerchant(9, new Date('2026-11-01T00:00:00Z'));
  await assert.rejects(
    checkMap(world.sql, written, 0),
    /still holds what a move of release 0.2.0 left of business 9/,
  );
  await world.sql`insert into migrations ${world.sql(migration as { name: string; checksum: string })}`;
});

test('after the upgrade a paused copy in a restored cell does not prevent a start', async () => {
  await know(half, idsEnd - 1, 1);
  await addMerchant(9, new Date('2026-11-01T00:00:00Z'));
  await checkMap(world.sql, map([0, 0], [9, 1], [10, 0], [half, 1]), 0);
});

test('a program does not start with a contradiction, though other cells agree; a command reports it and works', async () => {
  const other = await openTestWorld();
  try {
    await addMerchant(half + 7);
    const { sql: _, metrics: __, ...shared } = world;
    const urls = [world.databaseUrl, other.databaseUrl];
    const said: string[] = [];
    const home = Promise.withResolvers<void>();
    const open = async (as: 'program' | 'command') => {
      const { connect } = await import('../../../src/base/database/connect.ts');
      return await openCellWorlds({ ...halves, urls }, shared, {
        async open(url, _say, check) {
          const sql = connect(url, { most: 2 });
          if (url === other.databaseUrl) await home.promise;
          try {
            await check(sql).finally(home.resolve);
            return sql;
          } catch (error) {
            await sql.end();
            throw error;
          }
        },
        say: line => said.push(line),
        as,
      });
    };
    await assert.rejects(open('program'), /looks for in cell 1/);
    // Cell 1 contradicts too and answers last: cell 0's reason is the one that helps.
    await other.sql`insert into merchants (merchant_id, name, plan, created_at, webhook_secret)
      values (6, 'Shop', 'standard', now(), '')`;
    await assert.rejects(open('program'), /Error: cell 0 holds/);
    const { world: met, close } = await open('command');
    assert.equal(met.cells!.worlds.length, 2);
    assert.match(said.join('\n'), /^warning: cell 0 holds business/m);
    await close();
  } finally {
    await other.stop();
  }
});

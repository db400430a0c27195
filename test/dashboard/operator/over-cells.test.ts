import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaySql } from '../../../src/base/database/away-sql.ts';
import type { World } from '../../../src/base/world.ts';
import { fromAll, inItsCell } from '../../../src/dashboard/operator/over-cells.ts';
import { selectBusinesses } from '../../../src/dashboard/operator/queries/operator.ts';
import { operatorRoutes } from '../../../src/dashboard/operator/routes.ts';
import { showHealth } from '../../../src/dashboard/operator/show-health.ts';
import { textsIn } from '../../../src/texts/languages.ts';
import { openTestCells, type TestCells } from '../../support/test-cells.ts';

let stage: TestCells;
before(async () => {
  stage = await openTestCells();
});
after(() => stage.stop());

const list = (world: World) =>
  fromAll(world, ({ sql, clock }) =>
    selectBusinesses(sql, { search: null, after: null, limit: 50, now: clock.now() }),
  );

test('the operator’s list has the businesses of every cell, each from its own, and of those that answer', async () => {
  const [first, second] = stage.worlds as unknown as [World, World];
  const ids = stage.merchants.map(({ merchantId }) => merchantId);
  const listed = await list(first);
  assert.deepEqual(listed.map(row => row.merchant_id).sort(), ids.toSorted());
  assert.ok(listed.every(row => row.name === 'Chai Point'));
  const { sql } = second;
  second.sql = awaySql();
  try {
    assert.deepEqual(
      (await list(first)).map(row => row.merchant_id),
      [ids[0]],
    );
  } finally {
    second.sql = sql;
  }
});

test('what is about one business happens in its cell, also where an operator does it', async () => {
  let asked: World | null = null;
  const route = operatorRoutes.find(({ path }) => path.endsWith('/:merchant_id'))!;
  const wrapped = inItsCell({
    ...route,
    handle: async (world: World) => {
      asked = world;
      return { kind: 'redirect', to: '/' };
    },
  } as typeof route);
  for (const [cell, { merchantId }] of stage.merchants.entries()) {
    const visit = { params: { merchant_id: String(merchantId) } };
    await (wrapped.handle as (world: World, visit: object) => Promise<unknown>)(stage.worlds[0]!, visit);
    assert.equal(asked, stage.worlds[cell]);
  }
});

test('figures add up over all cells, and of each by itself', async () => {
  const now = stage.worlds[0]!.clock.now();
  const visit = (cell: string) => ({ texts: textsIn('en'), now, query: { text: () => cell } });
  const figureOf = async (cell: string) => {
    const page = await showHealth(stage.worlds[0]!, visit(cell) as never);
    const text = 'body' in page ? (page.body as { text: string }).text : '';
    return Number(/<p class="figure">(\d+)<\/p>/.exec(text)?.[1]);
  };
  // Each business and the other's twin.
  assert.deepEqual([await figureOf('0'), await figureOf('1'), await figureOf('')], [2, 2, 4]);
});

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { later } from '../../../src/base/clock.ts';
import { unreachableSql } from '../../../src/base/database/unreachable-sql.ts';
import type { World } from '../../../src/base/world.ts';
import { installation, recordAudit } from '../../../src/business/accounts/record-audit.ts';
import type { Answer } from '../../../src/dashboard/frame/route.ts';
import { inItsCell } from '../../../src/dashboard/operator/change-merchant.ts';
import { selectMerchants } from '../../../src/dashboard/operator/queries/operator.ts';
import { operatorRoutes } from '../../../src/dashboard/operator/routes.ts';
import { showHealth } from '../../../src/dashboard/operator/show-health.ts';
import { auditRoutes } from '../../../src/dashboard/shop/audit.ts';
import { fromAll } from '../../../src/operator/cells/in-each-cell.ts';
import { breachScopeCommand } from '../../../src/operator/commands/breach-scope.ts';
import { textsIn } from '../../../src/texts/languages.ts';
import { openTestCells } from '../../support/test-cells.ts';
import type { TestWorld } from '../../support/test-world.ts';
import { use } from '../../support/use.ts';

const stage = use(openTestCells);

const list = (world: World) =>
  fromAll(world, ({ sql, clock }) =>
    selectMerchants(sql, { search: null, after: null, limit: 50, now: clock.now() }),
  );

test('the operator’s list has the businesses of every cell that answers, each from its own cell', async () => {
  const [first, second] = stage.worlds as unknown as [World, World];
  const ids = stage.merchants.map(({ merchantId }) => merchantId);
  const listed = await list(first);
  assert.deepEqual(listed.map(row => row.merchant_id).sort(), ids.toSorted());
  assert.ok(listed.every(row => row.name === 'Chai Point'));
  const { sql } = second;
  second.sql = unreachableSql();
  try {
    assert.deepEqual(
      (await list(first)).map(row => row.merchant_id),
      [ids[0]],
    );
  } finally {
    second.sql = sql;
  }
});

test('an account in two cells is on the operator’s screen Watch, with the other business and its cell', async () => {
  const [first, second] = stage.merchants.map(({ merchantId }) => merchantId);
  const world = stage.worlds[0]!;
  await world.sql`update upi_accounts set same_as = ${second!} where merchant_id = ${first!}`;
  const route = operatorRoutes.find(({ path }) => path.endsWith('/watch'))!;
  const visit = { texts: textsIn('en'), now: world.clock.now() };
  const handle = route.handle as (world: World, visit: object) => Promise<Answer>;
  const page = JSON.stringify(await handle(world, visit));
  assert.ok(page.includes(`/businesses/${second}`) && page.includes(`Business ${second} in cell 1`));
  assert.match(page, /payments wait for the owner: .*create-business --cell 1</);
  await world.sql`update upi_accounts set same_as = null`;
});

test('an operator’s action on a business runs in the business’s cell', async () => {
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

test('the health screen lists every cell’s routines', async () => {
  const world = stage.worlds[0]!;
  const visit = { texts: textsIn('en'), now: world.clock.now() };
  const page = JSON.stringify(await showHealth(world, visit as never));
  assert.match(page, /Last backup, Cell 0<.*Last backup, Cell 1</);
});

test('the operators’ log shows every cell’s actions, page by page, and which cell is down', async () => {
  const [first, second] = stage.worlds as [TestWorld, TestWorld];
  const count = 26;
  const begun = first.clock.now();
  for (const { sql, cell = 0 } of [first, second])
    await sql.begin(async tx => {
      for (let at = 0; at < count; at++) {
        const now = later(begun, (2 * at + cell) * 1000);
        const who = { merchantId: installation, actor: 'o@x.in', address: '', now };
        await recordAudit(tx, who, { action: 'plans.apply', subject: `<${cell}-${at}>` });
      }
    });
  first.clock.advance(2 * count * 1000);
  const route = auditRoutes.find(({ path }) => path.includes('operator'))!;
  const show = async (before: string) => {
    const visit = { texts: textsIn('en'), merchantId: installation, query: { text: () => before } };
    const page = await (route.handle as (world: World, visit: object) => Promise<Answer>)(first, visit);
    return 'body' in page ? (page.body as { text: string }).text : '';
  };
  const namesIn = (text: string) => [...text.matchAll(/&lt;(\d-\d+)&gt;/g)].map(([, name]) => name);
  const newest = await show('');
  const older = await show(/\?before=([\d.]+)/.exec(newest)![1]!);
  const all = Array.from({ length: count }, (_, at) =>
    [1, 0].map(cell => `${cell}-${count - 1 - at}`),
  ).flat();
  assert.deepEqual([namesIn(newest), namesIn(older)], [all.slice(0, 50), all.slice(50)]);
  assert.match(newest, /Cell 1, No\. 26/);

  const since = later(first.clock.now(), -1000).toISOString();
  const { sql } = second;
  const scope = async () => {
    const said = mock.method(console, 'log', () => {});
    assert.ok(breachScopeCommand.needs === 'database');
    await breachScopeCommand.run(first, { account: 'o@x.in', since });
    said.mock.restore();
    return said.mock.calls.map(call => call.arguments.join(' ')).join('\n');
  };
  // The last audit entry was made in cell 1.
  assert.match(await scope(), /is an operator[\s\S]*plans\.apply once[\s\S]*within reach: 2 businesses/);
  second.sql = unreachableSql();
  try {
    const partly = await show('');
    assert.ok(namesIn(partly).length === count && partly.includes('Cell 1: Out of reach'));
    assert.match(await scope(), /cell 1 is down: its businesses were within reach too/);
  } finally {
    second.sql = sql;
  }
});

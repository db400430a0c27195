import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from '../../../src/base/database/connect.ts';
import { paise } from '../../../src/base/money.ts';
import type { World } from '../../../src/base/world.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import { type DeathPoint, dyingConnection, instead } from '../../support/model/dying-connection.ts';
import { twoCellsStage } from '../../support/two-cells-stage.ts';

/** Judges, owners and deaths in two cells at once: one payment is one payment, and never none. */

const stage = twoCellsStage();
const { halves } = stage;
let price = 100_01;
const amounts = () => {
  price += 1_00;
  return paise(price);
};
const halfOf = (turn: number) => Object.values(halves)[turn % 3]!();

test('one mail to businesses of two cells pays once, judged by two judges of each cell at once, a hundred times', async () => {
  const [a, b] = await stage.sides();
  const paid = [0, 0];
  const turns = Array.from({ length: 100 }, async (_, turn) => {
    const [amount, same] = [amounts(), halfOf(turn)];
    for (const side of [a, b]) await side.order(amount);
    const [one, two] = [await a.mail({ amount, ...same }), await b.mail({ amount, ...same })];
    const judges = [() => a.confirm(one), () => b.confirm(two), () => a.confirm(one), () => b.confirm(two)];
    // Whoever is told to come again does so, as a judge whose claim ran out.
    const again = (judge: () => Promise<unknown>): Promise<unknown> => judge().catch(() => again(judge));
    await Promise.all((turn % 2 ? judges : judges.toReversed()).map(again));
    assert.equal(await stage.paidWith(amount), 1);
    const verdicts = [(await a.verdictOf(one))[0], (await b.verdictOf(two))[0]];
    assert.deepEqual(verdicts.toSorted(), ['duplicate', 'paid']);
    paid[verdicts.indexOf('paid')]!++;
  });
  await Promise.all(turns);
  assert.equal(paid[0]! + paid[1]!, 100);
});

test('an owner who accepts in one cell and a judge of the other: one of them, and never none', async () => {
  const [a, b] = await stage.sides();
  for (let turn = 0; turn < 30; turn++) {
    const [amount, same] = [amounts(), halfOf(turn)];
    const waiting = await a.mail({ amount, ...same });
    assert.equal((await a.confirm(waiting)).outcome, 'no_order');
    const theirs = await a.order(amount + 1);
    await b.order(amount);
    const paying = await b.mail({ amount, ...same });
    const accept = () => a.accept(waiting.alertId, theirs);
    const judge = () => b.confirm(paying);
    const [refusal, told] = await Promise.all(
      turn % 2 ? [accept(), judge()] : [judge(), accept()].toReversed(),
    );
    const accepted = (await a.verdictOf(waiting))[0] === 'paid';
    assert.equal(await stage.paidWith(amount), accepted ? 0 : 1, `${refusal} ${JSON.stringify(told)}`);
    assert.equal((await b.verdictOf(paying))[0], accepted ? 'duplicate' : 'paid');
  }
});

/** The claim is made, and nobody hears of it. */
function deafTo({ worlds, ...cells }: NonNullable<World['cells']>): NonNullable<World['cells']> {
  const { sql, ...first } = worlds[0]!;
  const deaf = (...args: Parameters<Sql>) =>
    instead(sql(...args), async (go, query) => {
      const rows = await go();
      if (query.template.strings.join('').includes('claim_credit')) throw new Error('the answer was lost');
      return rows;
    });
  return { ...cells, worlds: [{ ...first, sql: Object.assign(deaf as Sql, sql) }, ...worlds.slice(1)] };
}

const points: (DeathPoint | 'deaf')[] = [...Array(16).keys(), 'before commit', 'after commit', 'deaf'];

for (const order of ['judged again first', 'after the other']) {
  test(`both judges die at any line, ${order}: paid exactly once, never zero`, async () => {
    const [a, b] = await stage.sides();
    for (const [turn, point] of points.entries()) {
      const [amount, same] = [amounts(), halfOf(turn)];
      // Half of them go the careful way: two orders that are no longer alone make no clean payment.
      for (const side of [a, b]) await side.order(amount);
      const [one, two] = [await a.mail({ amount, ...same }), await b.mail({ amount, ...same })];
      const dying = (world: World) =>
        point === 'deaf'
          ? { ...world, cells: deafTo(world.cells!) }
          : { ...world, sql: dyingConnection(world.sql, point) };
      await b.confirm(two, dying(b.world)).catch(() => {});
      await a.confirm(one, dying(a.world)).catch(() => {});
      assert.ok((await stage.paidWith(amount)) <= 1, String(point));
      for (const judge of order === 'after the other'
        ? [() => a.confirm(one), () => b.confirm(two)]
        : [() => b.confirm(two), () => a.confirm(one)])
        await judge();
      assert.equal(await stage.paidWith(amount), 1, String(point));
      const verdicts = [(await a.verdictOf(one))[0], (await b.verdictOf(two))[0]];
      assert.deepEqual(verdicts.toSorted(), ['duplicate', 'paid'], String(point));
    }
  });
}

test('an owner’s accept dies at any line: then it gives way to a judge of the other cell, or is done', async () => {
  const [a, b] = await stage.sides();
  for (const [turn, point] of [
    ...Array(24).keys(),
    'before commit' as const,
    'after commit' as const,
  ].entries()) {
    const [amount, same] = [amounts(), halfOf(turn)];
    const waiting = await b.mail({ amount, ...same });
    await b.confirm(waiting);
    const theirs = await b.order(amount + 1);
    const died = await b
      .accept(waiting.alertId, theirs, { ...b.world, sql: dyingConnection(b.world.sql, point) })
      .then(
        () => false,
        () => true,
      );
    const isDone = !died || point === 'after commit';
    await a.order(amount);
    const told = await a.confirm(await a.mail({ amount, ...same }));
    assert.equal(told.outcome, isDone ? 'duplicate' : 'paid', String(point));
    if (!isDone) assert.equal(await b.accept(waiting.alertId, theirs), 'credit_taken', String(point));
  }
});

test('and no rule is broken in either cell', async () => {
  for (const world of stage.cells.worlds)
    assert.deepEqual(
      // Its orders hold no amounts: they were not made by the API.
      (await findBreaches(world)).filter(line => !line.startsWith('R6')),
      [],
    );
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minute } from '../../src/base/clock.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { openTestApi } from '../support/api.ts';
import { addTestMerchant } from '../support/test-world.ts';
import { use, useEach } from '../support/use.ts';

const api = use(openTestApi);
const shop = useEach(() => addTestMerchant(api.world));

/** Paise in, paise out. */
async function create(amount: number): Promise<number> {
  const answer = await api.createPatiently({ amount: amount / 100 }, shop.apiKey);
  assert.ok(answer.statusCode <= 201, answer.body);
  return Math.round(answer.json().payable_amount * 100);
}

const createAtOnce = (amount: number, count: number) =>
  Promise.all(Array.from({ length: count }, () => create(amount)));

/** Marks these amounts as held by orders. */
async function holdAmounts(rupee: number, places: readonly number[]): Promise<number[]> {
  const held = places.map(place => rupee * 100 + place);
  await api.world.sql`
    insert into amounts (merchant_id, payable_paise, held_until, order_id)
    select ${shop.merchantId}, payable, 'infinity', 'nobody' from unnest(${held}::bigint[]) as payable`;
  return held;
}

/** R15: the same rupees, and one digit of the paise is the same too. */
const isNeighbour = (one: number, other: number) =>
  one !== other &&
  Math.floor(one / 100) === Math.floor(other / 100) &&
  (Math.floor(one / 10) === Math.floor(other / 10) || one % 10 === other % 10);

const neighbours = (held: readonly number[]) =>
  held.flatMap(one =>
    held.filter(other => one < other && isNeighbour(one, other)).map(other => [one, other]),
  );

/** A price for each ending of paise, far enough from the others that their amounts never meet. */
const prices = Array.from({ length: 100 }, (_, ending) => (1000 + 10 * ending) * 100 + ending);

describe('held amounts', () => {
  test('ten held amounts of one price never differ by one digit, nor are whole rupees, whatever its paise', async () => {
    for (const price of prices) {
      const held = await createAtOnce(price, 10);
      assert.deepEqual(neighbours(held), [], `of ${price}`);
      for (const one of held)
        assert.ok(one - price >= 1 && one - price <= 99 && one % 100 !== 0, String(one));
    }
  });

  test('ten amounts never differ by one digit, also if some are paid and used again many times', async () => {
    // A customer who has paid leaves the amount clear once its hold is over.
    const clearAt = (after: string) =>
      api.world.sql.unsafe(
        `update amounts set clear_at = held_until + interval '${after}' where order_id <> 'nobody'`,
      );
    const holding = 17 * minute;
    const given: { price: number; payable: number; until: number }[] = [];
    // At most ten within any 17 minutes.
    for (const count of [4, 3, 3, 4, 1, 5, 2, 3]) {
      const until = api.world.clock.now().getTime() + holding;
      for (const price of prices) {
        const held = given.filter(one => one.price === price && one.until > until - holding);
        const added = await createAtOnce(price, count);
        given.push(...added.map(payable => ({ price, payable, until })));
        assert.deepEqual(neighbours([...held.map(({ payable }) => payable), ...added]), [], `of ${price}`);
      }
      await clearAt('0');
      api.world.clock.advance(6 * minute);
    }
    await clearAt('1 day');
  });

  test('with eight amounts held, the ninth is chosen so that the tenth need not be whole rupees', async () => {
    for (let rupee = 800; rupee < 820; rupee++) {
      const held = await holdAmounts(rupee, [12, 23, 34, 45, 56, 67, 78, 81]);
      held.push(await create(rupee * 100));
      held.push(await create(rupee * 100));
      assert.deepEqual(neighbours(held), []);
    }
  });

  test('amounts with swapped digits are not held together while equally distant ones are free', async () => {
    for (let rupee = 820; rupee < 840; rupee++) {
      await holdAmounts(rupee, [31, 2, 40, 55, 66, 77, 88, 99]);
      const paise = (await create(rupee * 100)) % 100;
      assert.ok([14, 23, 24].includes(paise), String(paise));
    }
  });

  test('every usable offset of a price with paise is used before one above 99, and none gives whole rupees', async () => {
    const narrow = await createAtOnce(8999_50, 98);
    assert.ok(narrow.every(one => one - 8999_50 <= 99));
    const wide = await createAtOnce(8999_50, 198);
    assert.ok(wide.every(one => one - 8999_50 > 99));
    assert.ok([...narrow, ...wide].every(one => one % 100 !== 0));
    assert.equal((await api.create({ amount: 8999.5 }, shop.apiKey)).json().error, 'all_payment_slots_busy');
  });

  test('an amount is not another order’s requested one, which its customer may pay, while others are free', async () => {
    const asked = [700_11, 700_48, 700_93];
    const taken: number[] = [];
    for (const amount of asked) taken.push(await create(amount));
    const given: number[] = [];
    while ((given.at(-1) ?? 0) < 701_00) given.push(await create(700_00));
    // One of them may have been given to an earlier one, before it was asked for.
    const left = asked.filter(amount => !taken.includes(amount));
    assert.deepEqual(given.slice(-1 - left.length, -1).sort(), left, 'the last ones before the wide ones');
  });

  test('these held amounts break no rule', async () => {
    assert.deepEqual(await findBreaches(api.world), []);
  });
});

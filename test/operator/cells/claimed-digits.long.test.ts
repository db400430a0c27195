import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paise } from '../../../src/base/money.ts';
import type { TestWorld } from '../../support/test-world.ts';
import { twoCellsStage } from '../../support/two-cells-stage.ts';

const stage = twoCellsStage();
const { halves } = stage;
let price = 200_01;
for (const [first, second, isAlone] of [
  [0, 0, true],
  [0, 0, false],
  [1, 0, false],
] as const)
  test(`F6 ${first} ${second} ${isAlone ? 'one database' : 'cells'}: a mail without digits, paid to the account of its order, takes the reference of no other account`, async () => {
    const m = await stage.side(first);
    const n = await stage.side(second);
    await m.world.sql`
      insert into upi_accounts select (jsonb_populate_record(u, jsonb_build_object('account_id', 'acc_second', 'vpa', 'second@hdfcbank', 'is_default', false, 'account_digits', '1111'))).*
      from upi_accounts u where merchant_id = ${m.merchantId}`;
    await n.world.sql`update upi_accounts set account_digits = '8765' where merchant_id = ${n.merchantId}`;
    price += 100;
    const amount = paise(price);
    const same = halves.reference();
    await m.order(amount);
    await n.order(amount);
    const on = (w: TestWorld) => {
      const { cells: _, cell: __, ...alone } = w;
      return isAlone ? alone : w;
    };
    await m.confirm(await m.mail({ amount, ...same, accountDigits: null }), on(m.world));
    const two = await n.confirm(await n.mail({ amount, ...same, accountDigits: '8765' }), on(n.world));
    assert.equal(two.outcome, 'paid');
  });

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { paise } from '../../../../src/base/money.ts';
import { setPlan, writeCeiling, writeCountsOrderless } from '../../../../src/business/merchants/queries.ts';
import { chooseDefaultAccount, removeUpiAccount } from '../../../../src/business/merchants/upi-accounts.ts';
import { command } from '../command.ts';
import { merchantCount } from '../merchants.ts';

const merchant = fc.nat({ max: merchantCount - 1 });

/** Between a plan without limits and one that a few payments exhaust. Orders that are open stay payable. */
export const changePlan = merchant.map(which =>
  command('changePlan', which, async (model, real) => {
    const small = !model.onSmallPlan.has(which);
    const { merchantId } = real.merchants[which]!;
    await setPlan(real.api.world.sql, merchantId, small ? 'small' : 'standard');
    if (small) model.onSmallPlan.add(which);
    else model.onSmallPlan.delete(which);
  }),
);

/** The owner looks for larger sums themselves from now on, or for none. */
export const setCeiling = fc
  .record({ which: merchant, account: fc.nat({ max: 1 }), sum: fc.constantFrom(null, 500_75, 500_85) })
  .map(({ which, account, sum }) =>
    command('setCeiling', { which, account, sum }, async (model, real) => {
      const { merchantId, accountIds } = real.merchants[which]!;
      const { sql, clock } = real.api.world;
      const ceiling = sum === null ? null : paise(sum);
      const isSet = await writeCeiling(sql, merchantId, accountIds[account]!, ceiling, clock.now());
      assert.equal(isSet, !(account === 1 && model.withoutSecond.has(which)));
      if (isSet) model.trust.ceilings.set(`${which}/${account}`, sum ?? Number.POSITIVE_INFINITY);
    }),
  );

/** The second account goes, unless it is the default one; money for its open orders still counts. */
export const removeAccount = merchant.map(which =>
  command('removeAccount', which, async (model, real) => {
    const { merchantId, accountIds } = real.merchants[which]!;
    const removed = await real.api.world.sql.begin(tx =>
      removeUpiAccount(tx, real.api.world, merchantId, accountIds[1]!),
    );
    const expected = model.withoutSecond.has(which)
      ? 'unknown'
      : model.defaults[which] === 1
        ? 'is_default'
        : 'removed';
    assert.equal(removed, expected);
    if (removed === 'removed') model.withoutSecond.add(which);
  }),
);

export const chooseDefault = merchant.map(which =>
  command('chooseDefault', which, async (model, real) => {
    const { merchantId, accountIds } = real.merchants[which]!;
    const other = 1 - model.defaults[which]!;
    const chosen = await real.api.world.sql.begin(tx =>
      chooseDefaultAccount(tx, merchantId, accountIds[other]!),
    );
    assert.equal(chosen, !(other === 1 && model.withoutSecond.has(which)));
    if (chosen) model.defaults[which] = other;
  }),
);

/** The owner counts what comes without an order, or stops it; what was counted stays. */
export const countOrderless = fc.record({ which: merchant, account: fc.nat({ max: 1 }) }).map(params =>
  command('countOrderless', params, async (model, real) => {
    const { which, account } = params;
    const key = `${which}/${account}`;
    const { merchantId, accountIds } = real.merchants[which]!;
    const on = !model.counting.has(key);
    const isSet = await writeCountsOrderless(real.api.world.sql, merchantId, accountIds[account]!, on);
    assert.equal(isSet, !(account === 1 && model.withoutSecond.has(which)));
    if (isSet && on) model.counting.add(key);
    else if (isSet) model.counting.delete(key);
  }),
);

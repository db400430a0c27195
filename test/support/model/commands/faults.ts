import assert from 'node:assert/strict';
import fc from 'fast-check';
import { second } from '../../../../src/base/clock.ts';
import { setDisabled } from '../../../../src/business/merchants/queries.ts';
import { mailKey } from '../../signed-mail.ts';
import { command, hasOrder, openOrderAt, orderAt } from '../command.ts';
import type { DeathPoint } from '../dying-connection.ts';
import { keyName } from '../letter.ts';
import { merchantCount } from '../merchants.ts';
import type { Model } from '../model.ts';
import { allWhens, arrive, judge, letterFor, pass, timeOf, type When } from '../post.ts';

/** The program dies somewhere in a payment, and the worker finds the mail again half a minute later. */
export const crash = fc
  .record({
    order: fc.nat({ max: 7 }),
    when: fc.constantFrom<When>('now', 'now', ...allWhens),
    point: fc.oneof(
      fc.nat({ max: 9 }),
      fc.constantFrom<DeathPoint | 'with the mail in hand'>(
        'before commit',
        'after commit',
        'with the mail in hand',
      ),
    ),
  })
  .map(params =>
    command(
      'crash',
      params,
      async (model, real) => {
        const target = openOrderAt(model, params.order);
        const letter = letterFor(model, real, target, { date: timeOf(model, target, params.when) });
        const alertId = await arrive(model, real, letter, { merchant: target.merchant });
        if (params.point === 'with the mail in hand') await real.dieWithMailsInHand();
        else await judge(model, real, { death: { alertId, point: params.point } });
        await pass(model, real, 30 * second);
        assert.notEqual(model.mails.get(alertId)?.verdict, 'unjudged', 'the mail was never judged again');
      },
      hasOrder,
    ),
  );

const met = (model: Model) => [...model.mails.values()].filter(mail => mail.met);

/** Two judges had claimed the same mail, and the slower one answers now. */
export const slowJudge = fc.nat({ max: 7 }).map(index =>
  command(
    'slowJudge',
    index,
    async (model, real) => {
      const { alertId } = met(model).at(-1 - (index % met(model).length))!;
      await real.comeLate(alertId);
      model.confirm(alertId, model.now);
    },
    model => met(model).length > 0,
  ),
);

/** The bank signs with a key that DNS does not have yet: no verdict until it has. */
export const lateKey = fc.nat({ max: 7 }).map(order =>
  command(
    'lateKey',
    order,
    async (model, real) => {
      const target = orderAt(model, order);
      const { merchantId } = real.merchants[target.merchant]!;
      const selector = `late-${merchantId}-${model.letters.length}`;
      const letter = letterFor(model, real, target, { selector });
      const alertId = await arrive(model, real, letter, { merchant: target.merchant });
      await judge(model, real);
      assert.equal(model.mails.get(alertId)?.verdict, 'unjudged');
      real.api.world.dns.texts.set(keyName(selector), [mailKey().record]);
      await pass(model, real, 30 * second);
      assert.notEqual(model.mails.get(alertId)?.verdict, 'unjudged', 'the mail was never judged again');
    },
    hasOrder,
  ),
);

/** A disabled business takes no calls, but the money of its open orders still arrives and still counts. */
export const toggle = fc.nat({ max: merchantCount - 1 }).map(merchant =>
  command('toggle', merchant, async (model, real) => {
    const disable = !model.disabled.has(merchant);
    const { sql, clock } = real.api.world;
    await setDisabled(sql, real.merchants[merchant]!.merchantId, disable ? clock.now() : null);
    if (disable) model.disabled.add(merchant);
    else model.disabled.delete(merchant);
  }),
);

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { command, hasOrder, orderAt } from '../command.ts';
import { type Forgery, forgeLetter, forgeries } from '../letter.ts';
import { accountDigits, merchantCount } from '../merchants.ts';
import { arrive, judge, letterFor } from '../post.ts';

const order = fc.nat({ max: 7 });

/** Near misses: a paisa too much or too little, or the paise left out. */
export const wrongAmount = fc.record({ order, by: fc.constantFrom(-1, 1, 'no paise' as const) }).map(params =>
  command(
    'wrongAmount',
    params,
    async (model, real) => {
      const target = orderAt(model, params.order);
      const amount = params.by === 'no paise' ? target.amount : target.payable + params.by;
      const letter = letterFor(model, real, target, { amount });
      const alertId = await arrive(model, real, letter, { merchant: target.merchant });
      await judge(model, real);
      if (model.statusOf(target) !== 'pending') return;
      const [row] = await real.api.world.sql<{ near_misses: { order_id: string }[] }[]>`
        select near_misses from alerts where alert_id = ${alertId}`;
      assert.ok(
        row!.near_misses.some(({ order_id }) => order_id === target.orderId),
        'the near miss is not named',
      );
    },
    hasOrder,
  ),
);

/** The money went to the business's other account, or to one that is not the business's at all. */
export const wrongAccount = fc.record({ order, own: fc.boolean() }).map(params =>
  command(
    'wrongAccount',
    params,
    async (model, real) => {
      const target = orderAt(model, params.order);
      const digits = params.own ? accountDigits[1 - target.account]! : '9999';
      await arrive(model, real, letterFor(model, real, target, { digits }), { merchant: target.merchant });
      await judge(model, real);
    },
    hasOrder,
  ),
);

/** R13: a thief's own account at another bank, to which the shop's address was given; the digits may be like. */
export const otherBank = fc.record({ order, digits: fc.constantFrom(...accountDigits, '9999') }).map(params =>
  command(
    'otherBank',
    params,
    async (model, real) => {
      const target = orderAt(model, params.order);
      const letter = letterFor(model, real, target, { bank: 'stranger', digits: params.digits });
      await arrive(model, real, letter, { merchant: target.merchant });
      await judge(model, real);
    },
    hasOrder,
  ),
);

/** §1: an alert addressed elsewhere is never a payment, also when the other business is a customer of ours. */
export const wrongRecipient = fc
  .record({ order, to: fc.constantFrom('stranger', 'other business', 'unconfirmed address') })
  .map(params =>
    command(
      'wrongRecipient',
      params,
      async (model, real) => {
        const target = orderAt(model, params.order);
        const to = {
          stranger: 'merchant@elsewhere.in',
          'other business': real.merchants[(target.merchant + 1) % merchantCount]!.address,
          'unconfirmed address': real.merchants[target.merchant]!.unconfirmed,
        }[params.to];
        const letter = letterFor(model, real, target, { to: [to], payer: `stray${model.mails.size}` });
        await arrive(model, real, letter, { merchant: target.merchant, verdict: 'wrong_recipient' });
        await judge(model, real);
      },
      hasOrder,
    ),
  );

export const forged = fc.record({ order, how: fc.constantFrom<Forgery>(...forgeries) }).map(params =>
  command(
    'forged',
    params,
    async (model, real) => {
      const target = orderAt(model, params.order);
      const letter = letterFor(model, real, target, { payer: `forger${model.mails.size}` });
      const raw = forgeLetter(letter, params.how);
      // Somebody else's key may be DNS's fault; what was changed, or never signed, is not.
      const verdict = params.how === 'foreign key' ? 'retrying' : 'forged';
      await arrive(model, real, letter, { merchant: target.merchant, raw, verdict });
      await judge(model, real);
    },
    hasOrder,
  ),
);

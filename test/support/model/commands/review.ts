import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Transaction } from '../../../../src/base/database/connect.ts';
import type { ReviewRefusal } from '../../../../src/payments/matching/review-refusal.ts';
import {
  acceptCredit,
  attachByHand,
  declineCredit,
  endCredit,
  reopenCredit,
} from '../../../../src/payments/review/decide-by-hand.ts';
import { command, hasOrder, orderAt } from '../command.ts';
import { type Action, actions } from '../credits.ts';
import { decide as decideInModel } from '../deciding.ts';
import { merchantCount } from '../merchants.ts';
import type { Model } from '../model.ts';
import type { ModelMail, ModelOrder } from '../order-and-mail.ts';
import { arrive, judge, letterFor } from '../post.ts';
import type { Real } from '../real.ts';

/** The owner's switch: whether near misses move their orders by themselves. */
export const holdNearMisses = fc.nat({ max: merchantCount - 1 }).map(merchant =>
  command('hold', merchant, async (model, real) => {
    const held = !model.holdingNearMisses.has(merchant);
    const { merchantId } = real.merchants[merchant]!;
    await real.api.world
      .sql`update merchants set hold_near_misses = ${held} where merchant_id = ${merchantId}`;
    if (held) model.holdingNearMisses.add(merchant);
    else model.holdingNearMisses.delete(merchant);
  }),
);

/** A customer's typo in the amount. */
export const nearMiss = fc
  .record({ order: fc.nat({ max: 7 }), how: fc.constantFrom('base', 'rounded', 'swapped', 'wrong digit') })
  .map(params =>
    command(
      'slip',
      params,
      async (model, real) => {
        const target = orderAt(model, params.order);
        const { amount: asked, payable } = target;
        const [tens, units] = [Math.floor((payable % 100) / 10), payable % 10];
        const rupees = payable - (payable % 100);
        const amount = {
          base: asked,
          rounded: rupees,
          swapped: rupees + units * 10 + tens,
          'wrong digit': rupees + tens * 10 + ((units + 3) % 10),
        }[params.how]!;
        await arrive(model, real, letterFor(model, real, target, { amount }), { merchant: target.merchant });
        await judge(model, real);
      },
      hasOrder,
    ),
  );

const newest = (model: Model, index: number) =>
  [...model.mails.values()].at(-1 - (index % model.mails.size))!;

/** Somebody of the business that has the mail does something about it, whether it can be done or not. */
export const decide = fc
  .record({ action: fc.constantFrom(...actions), mail: fc.nat({ max: 5 }), order: fc.nat({ max: 5 }) })
  .map(params =>
    command(
      'decide',
      params,
      async (model, real) => {
        const mail = newest(model, params.mail);
        await decideAbout(model, real, params.action, mail, orderAt(model, params.order));
      },
      model => hasOrder(model) && model.mails.size > 0,
    ),
  );

export async function decideAbout(
  model: Model,
  real: Real,
  action: Action,
  mail: ModelMail,
  order: ModelOrder,
): Promise<void> {
  const { merchantId } = real.merchants[mail.merchant]!;
  const given = { alertId: mail.alertId, orderId: order.orderId, note: 'because' };
  const expected = decideInModel(model, action, mail, order);
  const answer = await real.api.world.sql.begin(tx => act(real, tx, action, merchantId, given));
  assert.equal(answer?.refusal ?? null, expected, `${action} ${mail.verdict} ${mail.handled}`);
}

type Given = { alertId: string; orderId: string; note: string };

function act(
  { api: { world } }: Real,
  tx: Transaction,
  action: Action,
  merchantId: number,
  given: Given,
): Promise<ReviewRefusal | null> {
  const who = { merchantId, actor: 'owner@shop.example', address: '', now: world.clock.now() };
  const ended = { alertId: given.alertId, returnReference: null, note: given.note };
  switch (action) {
    case 'attach':
      return attachByHand(tx, world, who, given);
    case 'accept':
      return acceptCredit(tx, world, who, given);
    case 'decline':
      return declineCredit(tx, who, given);
    case 'give back':
      return endCredit(tx, who, { ...ended, end: 'given_back' });
    case 'keep':
      return endCredit(tx, who, { ...ended, end: 'kept' });
    case 'not there':
      return reopenCredit(tx, who, { ...given, notArrived: true });
    case 'reopen':
      return reopenCredit(tx, who, given);
  }
}

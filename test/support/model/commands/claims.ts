import fc from 'fast-check';
import { day, hour } from '../../../../src/base/clock.ts';
import { enterReference } from '../../../../src/payments/review/enter-reference.ts';
import { command, hasOrder, openOrderAt, orderAt } from '../command.ts';
import { dayInIndia } from '../moments.ts';
import { arrive, judge, letterFor } from '../post.ts';
import { decideAbout } from './review.ts';

/** A customer types a reference: of money that came, or of the mail that comes next. Whose it is nobody knows. */
export const claim = fc.record({ order: fc.nat({ max: 5 }), letter: fc.nat({ max: 4 }) }).map(params =>
  command(
    'claim',
    params,
    async (model, real) => {
      const target = orderAt(model, params.order);
      const { letters } = model;
      const next = `6${String(letters.length + 1).padStart(11, '0')}`;
      const written =
        params.letter === 0 ? undefined : letters.at(-(((params.letter - 1) % (letters.length + 1)) + 1));
      const reference = written?.letter.reference ?? next;
      const { merchantId } = real.merchants[target.merchant]!;
      const { world } = real.api;
      const now = world.clock.now();
      await enterReference(world, { merchantId, orderId: target.orderId, reference, now });
      model.claim(target, reference);
    },
    hasOrder,
  ),
);

/** The exact sum in the wording that nobody has confirmed yet; now and then somebody finds it in the account at once. */
export const onTrial = fc.record({ order: fc.nat({ max: 5 }), found: fc.boolean() }).map(params =>
  command(
    'onTrial',
    params,
    async (model, real) => {
      const target = openOrderAt(model, params.order);
      const letter = letterFor(model, real, target, { onTrial: true });
      const alertId = await arrive(model, real, letter, { merchant: target.merchant });
      await judge(model, real);
      if (params.found) await decideAbout(model, real, 'accept', model.mails.get(alertId)!, target);
    },
    hasOrder,
  ),
);

/** The exact sum in time, with a reference of today or of one of the days before. */
export const ofDay = fc.record({ order: fc.nat({ max: 5 }), before: fc.nat({ max: 4 }) }).map(params =>
  command(
    'ofDay',
    params,
    async (model, real) => {
      const target = openOrderAt(model, params.order);
      const statedDay = dayInIndia(model.now) - params.before;
      const date = new Date(statedDay * day + hour);
      const dayOfYear = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day) + 1;
      const digits = `${date.getUTCFullYear() % 10}${String(dayOfYear).padStart(3, '0')}`;
      const reference = `${digits}${String(model.letters.length + 1).padStart(8, '0')}`;
      const letter = letterFor(model, real, target, { reference, statedDay });
      await arrive(model, real, letter, { merchant: target.merchant });
      await judge(model, real);
    },
    hasOrder,
  ),
);

import fc from 'fast-check';
import { minute, second } from '../../../../src/base/clock.ts';
import { command, hasOrder, orderAt } from '../command.ts';
import { type Moment, momentsOf } from '../moments.ts';
import { pass } from '../post.ts';

export const advance = fc
  .constantFrom(1 * second, 30 * second, 1 * minute, 4 * minute, 12 * minute, 18 * minute)
  .map(by =>
    command(
      'advance',
      `${by / second} s`,
      (model, real) => pass(model, real, by),
      model => model.mayPassTo(model.now + by),
    ),
  );

/** To the very moment at which an order expires, can no longer be paid, or gives its amount back. */
export const advanceTo = fc
  .record({
    order: fc.nat({ max: 7 }),
    moment: fc.constantFrom<Moment>('last second', 'expiry', 'last late', 'too late', 'still held', 'free'),
  })
  .map(params =>
    command(
      'advanceTo',
      params,
      (model, real) => pass(model, real, momentsOf(orderAt(model, params.order))[params.moment] - model.now),
      model => hasOrder(model) && model.mayPassTo(momentsOf(orderAt(model, params.order))[params.moment]),
    ),
  );

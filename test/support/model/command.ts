import type fc from 'fast-check';
import { compare } from './compare.ts';
import type { Model } from './model.ts';
import { momentsOf } from './moments.ts';
import type { ModelOrder } from './order-and-mail.ts';
import type { Real } from './real.ts';

export type ModelCommand = fc.AsyncCommand<Model, Real>;

/** One step, after which the whole service must again be what the model says. */
export function command<P>(
  name: string,
  params: P,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): ModelCommand {
  return {
    check,
    async run(model, real) {
      await run(model, real);
      await compare(model, real);
    },
    toString: () => `${name}(${JSON.stringify(params)})`,
  };
}

export const hasOrder = (model: Model) => model.orders.length > 0;

/** An order that a payment would pay now, where there is one. */
export function openOrderAt(model: Model, index: number): ModelOrder {
  const open = model.orders.filter(
    order => order.paidAt === null && momentsOf(order)['last late'] >= model.now,
  );
  return open.at(-1 - (index % open.length)) ?? orderAt(model, index);
}

/** Orders counted from the newest, because that is where things happen. */
export function orderAt(model: Model, index: number): ModelOrder {
  return model.orders.at(-1 - (index % model.orders.length))!;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { createPatiently, type LiveShop } from '../../test/support/live-shop.ts';

/** The service's promises, as its callers recorded them. */
export type Promised = {
  /** Orders whose create was answered with 201, or with 200 when it was sent again. */
  orders: Set<string>;
  replays: number;
  refusals: number;
  /** Orders for which the bank has written its mail. */
  mailed: Set<string>;
};

export type Load = {
  promised: Promised;
  /** The longest time without a create that was answered, in milliseconds. */
  silence(): number;
  stop(): Promise<void>;
};

type Customers = { lanes: number; paidEvery: number; pause: number; address?: string };

/** One order in three is paid. */
const usual: Customers = { lanes: 6, paidEvery: 3, pause: 10 };
/** The same at each step of the ladder in docs/scaling.md: some twenty orders a second, if all is well. */
export const ladderCustomers = { ...usual, pause: 200 };

/**
 * Customers who order without end at all addresses in turn, and some of whom pay. What is not answered is asked again,
 * as every shop does.
 */
export function startLoad(
  shop: LiveShop,
  urls: string | readonly string[],
  apiKey: string,
  { lanes, paidEvery, pause, address }: Customers = usual,
): Load {
  const promised: Promised = { orders: new Set(), replays: 0, refusals: 0, mailed: new Set() };
  const addresses = [urls].flat();
  let going = true;
  let asked = 0;
  let [answeredAt, longest] = [performance.now(), 0];
  const silence = () => Math.max(longest, performance.now() - answeredAt);
  const lane = async () => {
    for (let count = 0; going; count++) {
      const number = asked++;
      // An amount of its own for each, so that no order waits for a free one.
      const wish = { amount: 1000 + number, webhook_url: shop.receiver.url };
      const url = addresses[number % addresses.length]!;
      const { order, replayed, refusals } = await createPatiently(url, apiKey, wish);
      [longest, answeredAt] = [silence(), performance.now()];
      promised.orders.add(order.order_id);
      promised.replays += Number(replayed);
      promised.refusals += refusals;
      if (count % paidEvery === 0) {
        await shop.bankWrites(order.payable_amount, address);
        promised.mailed.add(order.order_id);
      }
      await sleep(pause);
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    promised,
    silence: () => (going ? silence() : longest),
    async stop() {
      going = false;
      await running;
    },
  };
}

export function joinPromises(loads: readonly Load[]): Load['promised'] {
  const all = loads.map(({ promised }) => promised);
  const sum = (of: 'replays' | 'refusals') => all.reduce((total, one) => total + one[of], 0);
  return {
    orders: new Set(all.flatMap(one => [...one.orders])),
    mailed: new Set(all.flatMap(one => [...one.mailed])),
    replays: sum('replays'),
    refusals: sum('refusals'),
  };
}

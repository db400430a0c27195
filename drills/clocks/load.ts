import { setTimeout as sleep } from 'node:timers/promises';
import { createPatiently, type LiveShop } from '../../test/support/live-shop.ts';

export type Load = {
  /** Orders whose bank has written its mail, by the scene in which it did. */
  paidFor: Map<string, string[]>;
  created(): number;
  stop(): Promise<void>;
};

const lanes = 2;
const pause = 400;

/** Customers at all doors in turn, each of whom pays at once: nobody's bank is slower than our clocks are wrong. */
export function startLoad(
  shop: LiveShop,
  urls: readonly string[],
  apiKey: string,
  scene: () => string,
): Load {
  const paidFor = new Map<string, string[]>();
  let going = true;
  let count = 0;
  const lane = async () => {
    while (going) {
      const number = count++;
      const wish = { amount: 1000 + number, webhook_url: shop.receiver.url };
      const { order } = await createPatiently(urls[number % urls.length]!, apiKey, wish);
      const name = scene();
      await shop.bankWrites(order.payable_amount);
      paidFor.set(name, [...(paidFor.get(name) ?? []), order.order_id]);
      await sleep(pause);
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  return {
    paidFor,
    created: () => count,
    async stop() {
      going = false;
      await running;
    },
  };
}

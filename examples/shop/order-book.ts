import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** An order as the shop knows it. Its number is the merchant_order_id at Milaan. */
export type ShopOrder = {
  number: string;
  productId: string;
  /** Rupees, from the shop's own price list. */
  amount: number;
  createdAt: string;
  /** Milaan's id, known once the order was created there. */
  orderId: string | null;
  /** Only a verified webhook or a reconciliation makes it paid; nothing that a browser says. */
  state: 'pending' | 'paid' | 'expired';
  paidAt: string | null;
  /** How the shop learnt of it. */
  learntBy: 'webhook' | 'reconciliation' | null;
  bankReference: string | null;
};

export type OrderBook = {
  add(order: ShopOrder): void;
  find(number: string): ShopOrder | undefined;
  change(number: string, change: Partial<ShopOrder>): void;
  /** Newest first. */
  all(): ShopOrder[];
};

/**
 * The shop's orders: a list in memory and, when a file is named, a line in it for every change, so that a restart
 * forgets nothing. A shop with a database keeps them there.
 */
export function openOrderBook(file: string | null): OrderBook {
  const orders = new Map<string, ShopOrder>();
  if (file !== null && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line !== '') keep(JSON.parse(line) as ShopOrder);
    }
  }
  function keep(order: ShopOrder): void {
    orders.set(order.number, order);
  }
  function write(order: ShopOrder): void {
    if (file !== null) appendFileSync(file, `${JSON.stringify(order)}\n`);
    keep(order);
  }
  return {
    add: write,
    find: number => orders.get(number),
    change(number, change) {
      const order = orders.get(number);
      if (order) write({ ...order, ...change });
    },
    all: () => [...orders.values()].toReversed(),
  };
}

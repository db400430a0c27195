import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** The shop's own order. Its number is the merchant_order_id at Milaan. */
export type ShopOrder = {
  number: string;
  productId: string;
  /** Rupees, from the shop's own price list. */
  amount: number;
  createdAt: string;
  /** Milaan's id; null until Milaan has created the order. */
  orderId: string | null;
  /** Only a verified webhook or a reconciliation makes it paid, and never a browser. */
  state: 'pending' | 'paid' | 'expired';
  paidAt: string | null;
  /** How the shop learned the state. */
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
 * The shop's orders in memory. If a file is given, every change is appended to it, so that a restart forgets nothing. A
 * real shop uses its database.
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

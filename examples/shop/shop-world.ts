import type { Milaan } from '../../sdk/src/milaan.ts';
import type { OrderBook } from './order-book.ts';

/** What every part of the shop works with. */
export type ShopWorld = {
  milaan: Milaan;
  book: OrderBook;
  clock: { now(): Date };
  /** Where this shop is reached. */
  shopUrl: string;
  /** Where Milaan is reached, for the widget's script. */
  baseUrl: string;
  webhookSecret: string;
};

import type { Milaan } from '../../sdk/src/milaan.ts';
import type { OrderBook } from './order-book.ts';

/** The world that each of the shop's functions gets. */
export type ShopWorld = {
  milaan: Milaan;
  book: OrderBook;
  clock: { now(): Date };
  /** The shop's own address. */
  shopUrl: string;
  /** Milaan's address, for the widget's script. */
  baseUrl: string;
  webhookSecret: string;
};

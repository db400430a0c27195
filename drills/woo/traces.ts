import assert from 'node:assert/strict';
import type { WooShop } from './open-shop.ts';

/** Rows that are not the plugin's to remove: the orders' own facts, WordPress's and WooCommerce's own records. */
const books =
  /^wp_(comments|commentmeta|wc_orders|wc_order_operational_data|wc_orders_meta|postmeta|posts|woocommerce_sessions|woocommerce_log|wc_order_stats|usermeta)$/;

export async function traces(shop: WooShop): Promise<void> {
  shop.run('uninstall');
  const found = shop.run<[table: string, text: string][]>('traces');
  const ours = found.filter(([table, text]) => !books.test(table) || /_milaan_/.test(text));
  assert.deepEqual(ours, []);
}

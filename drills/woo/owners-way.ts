import type { Page } from 'playwright-core';
import { connectInBrowser } from './connect.ts';
import { orderIn, type Picture, signIn } from './customer.ts';
import type { Milaan } from './milaan.ts';
import type { WooShop } from './open-shop.ts';

/** From a WooCommerce without us to an order that is paid, as the owner who tries it goes. */
export async function ownersWay(page: Page, shop: WooShop, milaan: Milaan, picture: Picture): Promise<void> {
  const product = shop.run<number>('product', { name: 'Assam tea, 250 g', price: '499' });
  await connectInBrowser(page, shop, milaan, picture);
  await orderIn(page, shop, 'blocks', product, picture);
  await page.waitForURL(/\/pay\//);
  await page.click('[data-how="exact"]');
  await page.waitForURL(/order-received/);
  await signIn(page, shop);
  const [order] = shop.run<{ id: number }[]>('orders');
  await page.goto(`${shop.url}/wp-admin/admin.php?page=wc-orders&action=edit&id=${order!.id}`);
  await page.getByText('received by UPI').first().scrollIntoViewIfNeeded();
  await picture('order', page);
}

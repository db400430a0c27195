import { startShop } from './start-shop.ts';

/** Runs the shop: `node examples/shop/main.ts`, with the environment variables from README.md. */
const { MILAAN_URL, MILAAN_API_KEY, MILAAN_WEBHOOK_SECRET, SHOP_PORT, SHOP_HOST, SHOP_URL, SHOP_ORDERS } =
  process.env;

if (!MILAAN_URL || !MILAAN_API_KEY || !MILAAN_WEBHOOK_SECRET) {
  console.error('shop: set MILAAN_URL, MILAAN_API_KEY and MILAAN_WEBHOOK_SECRET');
  process.exit(1);
}
const shop = await startShop({
  port: Number(SHOP_PORT ?? 8090),
  baseUrl: MILAAN_URL,
  apiKey: MILAAN_API_KEY,
  webhookSecret: MILAAN_WEBHOOK_SECRET,
  ...(SHOP_HOST && { host: SHOP_HOST }),
  ...(SHOP_URL && { shopUrl: SHOP_URL }),
  ...(SHOP_ORDERS && { ordersFile: SHOP_ORDERS }),
});
console.log(`The shop is open at ${shop.url}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void shop.stop().then(() => process.exit(0));
  });
}

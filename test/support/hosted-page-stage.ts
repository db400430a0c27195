import { openBrowser, type TestBrowser } from './browser.ts';
import { addTestOrder, openSite, type Site, type TestOrder } from './checkout-site.ts';
import { needs } from './needs.ts';
import { openShop, type Shop } from './shop.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

const { after, before } = needs('Chromium');

export let world: TestWorld;
export let site: Site;
export let shop: Shop;
export let browser: TestBrowser;
let merchant: TestMerchant;

/** The payment page, a shop that its customers return to, and a browser, for the file that calls this. */
export function useHostedPage(): void {
  before(async () => {
    world = await openTestWorld();
    site = await openSite(world);
    shop = await openShop(site.origin);
    browser = await openBrowser();
    merchant = await addTestMerchant(world, { account: { kind: 'merchant', merchantCode: '5812' } });
  });
  after(async () => {
    await browser.stop();
    await shop.stop();
    await site.stop();
    await world.stop();
  });
}

export const newOrder = (change: Parameters<typeof addTestOrder>[2] = {}) =>
  addTestOrder(world, merchant, { shop: shop.origin, ...change });
export const polls = ({ token }: TestOrder) => site.polls.filter(poll => poll.token === token);

import { tellChange } from './change-demo-account.ts';
import { demoAccounts, firstAccount, restoreDemoSettings } from './open-demo-business.ts';
import { openDemoSeller, sellerAccount } from './open-demo-seller.ts';
import type { Playground } from './playground.ts';
import { forgetHistory, restoreAccounts } from './queries.ts';

/** The demo business as on its first day, and the clock and the DNS with it. Its user, key and secret stay. */
export async function resetSandbox({
  world,
  demo,
  seller,
  keys,
}: Pick<Playground, 'world' | 'demo' | 'seller' | 'keys'>): Promise<void> {
  await world.sql.begin(async tx => {
    await forgetHistory(tx, demo.merchantId);
    await restoreAccounts(tx, demo.merchantId, demoAccounts);
    if (!seller) return;
    await forgetHistory(tx, seller.merchantId);
    await restoreAccounts(tx, seller.merchantId, [sellerAccount]);
  });
  world.clock.reset();
  world.dns.forgetAll();
  keys.askAnew();
  await openDemoSeller(world, demo.password);
  const forward_to = await restoreDemoSettings(world, demo.merchantId);
  tellChange({ world, demo }, { ...firstAccount, forward_to });
}

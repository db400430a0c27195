import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import type { App } from '../../src/base/http/app.ts';
import { orderRoutes } from '../../src/orders/routes.ts';
import { revealWebhookSecret } from '../../src/outbox/webhooks/reveal-webhook-secret.ts';
import { startDelivering } from '../../src/outbox/webhooks/start-delivering.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { connectedMailbox } from './busy-shop.ts';
import { openSite, type Site } from './checkout-site.ts';
import { payableOf, storedCredit } from './credit.ts';
import { addTestMerchant, openTestWorld, type TestMerchant, type TestWorld } from './test-world.ts';

export type WholeService = {
  world: TestWorld;
  site: Site;
  url: string;
  merchant: TestMerchant;
  webhookSecret: string;
  /** A credit of exactly this many rupees meets its order; the webhook follows by itself. */
  pay(payableAmount: number, reference?: string): Promise<void>;
  stop(): Promise<void>;
};

/** API, hosted page, widget and webhooks on a real port, as a sandbox runs them: webhooks may go to loopback. */
export async function openWholeService(
  more: (app: App, world: TestWorld) => unknown = () => {},
): Promise<WholeService> {
  const world = await openTestWorld();
  // Shop, browser and service tell the time to each other.
  world.clock.set(systemClock.now());
  const site = await openSite(world, async app => {
    await orderRoutes(app, world);
    await more(app, world);
  });
  const merchant = await addTestMerchant(world);
  await connectedMailbox(world, merchant.merchantId);
  const revealed = await revealWebhookSecret(world.sql, world, merchant.merchantId);
  assert.ok(revealed);
  const delivering = startDelivering(world);
  return {
    world,
    site,
    url: site.origin,
    merchant,
    webhookSecret: revealed.secret,
    async pay(payableAmount, reference) {
      const credit = await storedCredit(world, merchant.merchantId, {
        amount: payableOf({ payable_amount: payableAmount }),
        ...(reference !== undefined && { reference }),
      });
      assert.equal((await confirmPayment(world, credit)).outcome, 'paid');
    },
    async stop() {
      await delivering.stop();
      await site.stop();
      await world.stop();
    },
  };
}

import { hour, later, minute, second } from '../../src/base/clock.ts';
import { paise } from '../../src/base/money.ts';
import { confirmPayment } from '../../src/payments/matching/confirm-payment.ts';
import { addTestOrder, type TestOrder } from './checkout-site.ts';
import { storedCredit } from './credit.ts';
import { addTestMerchant, type TestMerchant, type TestWorld } from './test-world.ts';

/** A shop with one payment of each kind that needs a person. The world's clock ends where it began. */
export type MoneyShop = TestMerchant & {
  /** Its customer paid whole rupees: nobody has looked at it. */
  nearMiss: TestOrder & { alertId: string };
  /** Held for the owner's decision. */
  waiting: TestOrder & { alertId: string };
  late: TestOrder & { alertId: string };
};

export async function addMoneyShop(world: TestWorld, name = 'Dosa Darbar'): Promise<MoneyShop> {
  const now = world.clock.now();
  const shop = await addTestMerchant(world, { name });
  const pay = async (amount: number, payer: string | null): Promise<string> => {
    const stored = await storedCredit(world, shop.merchantId, {
      amount: paise(amount),
      payer,
      recipient: 'alerts@dosadarbar.in',
    });
    await confirmPayment(world, stored);
    return stored.alertId;
  };
  const holdNearMisses = (on: boolean) =>
    world.sql`update merchants set hold_near_misses = ${on} where merchant_id = ${shop.merchantId}`;
  world.clock.set(later(now, -3 * hour));
  const dead = await addTestOrder(world, shop, { payable: 1249_12, merchantOrderId: 'basket-70' });
  world.clock.set(later(now, -2 * hour));
  const lateAlert = await pay(1249_12, 'Sunita Devi (sunita.devi@okicici)');
  world.clock.set(later(now, -hour));
  await addTestOrder(world, shop, { payable: 180_37, merchantOrderId: 'basket-72' });
  await pay(180_37, 'meera@okaxis');
  world.clock.advance(40 * second);
  await pay(180_37, 'meera@okaxis');
  world.clock.set(later(now, -20 * minute));
  await pay(75_00, null);
  await holdNearMisses(true);
  world.clock.set(later(now, -4 * minute));
  const held = await addTestOrder(world, shop, { payable: 2399_37, merchantOrderId: 'basket-75' });
  world.clock.advance(minute);
  const heldAlert = await pay(2399_00, 'arjun.rao@ybl');
  await holdNearMisses(false);
  world.clock.set(later(now, -2 * minute));
  const open = await addTestOrder(world, shop, { payable: 500_37, merchantOrderId: 'basket-76' });
  world.clock.set(later(now, -minute));
  const openAlert = await pay(500_00, 'ravi@okbank');
  world.clock.set(now);
  return {
    ...shop,
    nearMiss: { ...open, alertId: openAlert },
    waiting: { ...held, alertId: heldAlert },
    late: { ...dead, alertId: lateAlert },
  };
}

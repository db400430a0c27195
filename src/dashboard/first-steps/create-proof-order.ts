import type { Transaction } from '../../base/database/connect.ts';
import { paise } from '../../base/money.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { createOrder } from '../../orders/create-order.ts';
import { noAddress } from '../../orders/order.ts';
import { proofPrefix } from '../../payments/matching/queries/trials.ts';

const oneRupee = paise(100);

/** A real order of one rupee on the default account, created by the signed-in person instead of a shop's server. */
export async function createProofOrder(tx: Transaction, world: World, merchantId: number): Promise<string> {
  const back = `${world.baseUrl}/dashboard/first-steps/thanks`;
  const { order } = await createOrder(
    tx,
    world,
    { merchantId, signedIn: true },
    {
      amount: oneRupee,
      merchantOrderId: `${proofPrefix}${randomBase62(16)}`,
      successUrl: back,
      failureUrl: back,
      webhookUrl: noAddress,
      customer: null,
      account: null,
    },
  );
  return order.order_id;
}

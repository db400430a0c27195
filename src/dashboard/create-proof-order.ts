import { ApiError } from '../http/api-error.ts';
import { paise } from '../money.ts';
import { checkDestination } from '../network/check-destination.ts';
import { createOrder } from '../orders/create-order.ts';
import { randomBase62 } from '../random.ts';
import type { World } from '../world.ts';
import { proofPrefix } from './queries/first-steps.ts';

/** Our own address that takes a webhook and does nothing: who has no server yet can prove the rest. */
export const proofWebhookPath = '/first-steps/webhook';
const oneRupee = paise(100);

export type ProofStarted = { ok: true; orderId: string } | { ok: false; reason: string };

/** A real order of one rupee on the default account, created by the signed-in person instead of a shop's server. */
export async function createProofOrder(
  world: World,
  merchantId: number,
  typedUrl: string,
): Promise<ProofStarted> {
  const webhookUrl = typedUrl === '' ? `${world.baseUrl}${proofWebhookPath}` : typedUrl;
  const checked = await checkDestination(world, webhookUrl);
  if (!checked.ok) return { ok: false, reason: `The webhook address ${checked.reason}.` };
  const back = `${world.baseUrl}/dashboard/first-steps/thanks`;
  try {
    const { order } = await createOrder(
      world,
      { merchantId, signedIn: true },
      {
        amount: oneRupee,
        merchantOrderId: `${proofPrefix}${randomBase62(16)}`,
        successUrl: back,
        failureUrl: back,
        webhookUrl,
        customer: null,
        account: null,
      },
    );
    return { ok: true, orderId: order.order_id };
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, reason: error.message };
    throw error;
  }
}

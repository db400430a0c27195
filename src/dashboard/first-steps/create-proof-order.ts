import type { Transaction } from '../../base/database/connect.ts';
import { ApiError } from '../../base/http/api-error.ts';
import { paise } from '../../base/money.ts';
import { checkDestination } from '../../base/network/check-destination.ts';
import { randomBase62 } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { createOrder, whyRefused } from '../../orders/create-order.ts';
import { proofPrefix } from '../../payments/matching/queries/trials.ts';
import { because, type Reason } from '../../texts/verdicts.ts';

/** Our own webhook address, which does nothing. An owner without a server can prove the rest with it. */
export const proofWebhookPath = '/first-steps/webhook';
const oneRupee = paise(100);

/** A real order of one rupee on the default account, created by the signed-in person instead of a shop's server. */
export async function createProofOrder(
  world: World,
  merchantId: number,
  typedUrl: string,
  /** Writes the audit entry in the order's own transaction. */
  record: (tx: Transaction, orderId: string) => Promise<void> = async () => {},
): Promise<{ ok: true; orderId: string } | { ok: false; reason: Reason }> {
  const webhookUrl = typedUrl === '' ? `${world.baseUrl}${proofWebhookPath}` : typedUrl;
  const checked = await checkDestination(world, webhookUrl);
  if (!checked.ok) return { ok: false, reason: because('bad_webhook_address', { problem: checked.reason }) };
  const back = `${world.baseUrl}/dashboard/first-steps/thanks`;
  try {
    const request = {
      amount: oneRupee,
      merchantOrderId: `${proofPrefix}${randomBase62(16)}`,
      successUrl: back,
      failureUrl: back,
      webhookUrl,
      customer: null,
      account: null,
    };
    const orderId = await world.sql.begin(async tx => {
      const { order } = await createOrder(tx, world, { merchantId, signedIn: true }, request);
      await record(tx, order.order_id);
      return order.order_id;
    });
    return { ok: true, orderId };
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, reason: whyRefused(error) };
    throw error;
  }
}

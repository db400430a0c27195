import { randomBytes } from 'node:crypto';
import type { Queryable } from '../database/connect.ts';
import type { World } from '../world.ts';
import { defaultPlan } from './plans.ts';
import { insertMerchant } from './queries.ts';

const webhookSecretBytes = 24;

/** A business, with a webhook secret from its first moment, so that no event is ever unsigned. */
export async function createMerchant(
  tx: Queryable,
  { clock, secrets }: Pick<World, 'clock' | 'secrets'>,
  { name, plan = defaultPlan }: { name: string; plan?: string },
): Promise<number> {
  const merchantId = newMerchantId();
  await insertMerchant(tx, {
    merchant_id: merchantId,
    name,
    plan,
    created_at: clock.now(),
    webhook_secret: secrets.seal(newWebhookSecret(), webhookSecretBinding(merchantId)),
  });
  return merchantId;
}

/** Random, so that ids tell nothing about how many businesses there are; 48 bits, so that a number holds it. */
function newMerchantId(): number {
  return randomBytes(6).readUIntBE(0, 6) || 1;
}

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(webhookSecretBytes).toString('base64')}`;
}

/** What a sealed webhook secret is bound to; the old and the new one of a business alike. */
export function webhookSecretBinding(merchantId: number): string {
  return `merchant:${merchantId}:webhook_secret`;
}

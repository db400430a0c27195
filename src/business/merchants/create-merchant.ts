import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../base/database/connect.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { newWebhookSecret, webhookSecretBinding } from '../../outbox/webhooks/sign-webhook.ts';
import { defaultPlan } from './plans.ts';
import { insertMerchant } from './queries.ts';

/** `merchantId`: where there are several databases, one of the cell that it is created in (`cells.newId`). */
type NewMerchant = { name: string; plan?: string; merchantId?: number };

/** A business, with a webhook secret from its first moment, so that no event is ever unsigned. */
export async function createMerchant(
  tx: Queryable,
  { clock, secrets, cells, cell }: Pick<World, 'clock' | 'secrets' | 'cells' | 'cell'>,
  { name, plan = defaultPlan, merchantId = cells?.newId(cell) ?? newMerchantId() }: NewMerchant,
): Promise<number> {
  if (cells && cells.of(merchantId).cell !== cell)
    throw new Error(`business ${merchantId} is of another cell`);
  const row = {
    merchant_id: merchantId,
    name,
    plan,
    created_at: clock.now(),
    webhook_secret: secrets.seal(newWebhookSecret(), webhookSecretBinding(merchantId)),
  };
  await insertMerchant(tx, row, cell);
  return merchantId;
}

/** Random, so that ids tell nothing about how many businesses there are; 48 bits, so that a number holds it. */
export function newMerchantId(): number {
  return randomBytes(6).readUIntBE(0, 6) || 1;
}

export const longestBusinessName = 120;

/** A name that customers will read; null when it is empty or too long, or hides something. */
export function readBusinessName(text: string): string | null {
  return readName(text, longestBusinessName);
}

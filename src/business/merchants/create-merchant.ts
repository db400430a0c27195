import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../base/database/connect.ts';
import { readName } from '../../base/read-name.ts';
import type { World } from '../../base/world.ts';
import { newWebhookSecret, webhookSecretBinding } from '../../outbox/webhooks/sign-webhook.ts';
import { defaultPlan } from './plans.ts';
import { insertMerchant } from './queries.ts';

/** `merchantId`: with several databases, an id of the cell that stores it (`cells.newId`). */
type NewMerchant = { name: string; plan?: string; merchantId?: number };

/** Creates a business with a webhook secret, so that no event is ever unsigned. */
export async function createMerchant(
  tx: Queryable,
  { clock, secrets, cells, cell }: Pick<World, 'clock' | 'secrets' | 'cells' | 'cell'>,
  { name, plan = defaultPlan, merchantId = cells?.newId(cell) ?? newMerchantId() }: NewMerchant,
): Promise<number> {
  if (cells && cells.of(merchantId).cell !== cell)
    throw new Error(`business ${merchantId} belongs to another cell`);
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

/** Random, so that ids do not reveal the number of businesses. 48 bits fit into a number. */
export function newMerchantId(): number {
  return randomBytes(6).readUIntBE(0, 6) || 1;
}

export const longestMerchantName = 120;

export function readMerchantName(text: string): string | null {
  return readName(text, longestMerchantName);
}

import { newWebhookSecret, webhookSecretBinding } from '../merchants/create-merchant.ts';
import type { World } from '../world.ts';
import { replaceSecret } from './queries/read.ts';

/** A new webhook secret. The one before it signs beside it for a day, so that the shop can change over in peace. */
export async function rotateWebhookSecret(
  { sql, clock, secrets }: Pick<World, 'sql' | 'clock' | 'secrets'>,
  merchantId: number,
): Promise<string | null> {
  const secret = newWebhookSecret();
  const sealed = secrets.seal(secret, webhookSecretBinding(merchantId));
  return (await replaceSecret(sql, merchantId, sealed, clock.now())) ? secret : null;
}

import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { replaceSecret } from './queries/read.ts';
import { newWebhookSecret, webhookSecretBinding } from './webhook-secret.ts';

/**
 * A new webhook secret. The one before it signs beside it for a day, so that the shop can change over in peace.
 * `lastRotatedAt` says which secret is meant: a second click would else take the day away from the secret that the
 * shop's server knows, and it would refuse every webhook. Null when another one has taken that secret's place.
 */
export async function rotateWebhookSecret(
  tx: Queryable,
  { clock, secrets }: Pick<World, 'clock' | 'secrets'>,
  merchantId: number,
  lastRotatedAt: Date | null,
): Promise<string | null> {
  const secret = newWebhookSecret();
  const sealed = secrets.seal(secret, webhookSecretBinding(merchantId));
  const replaced = await replaceSecret(tx, merchantId, { sealed, now: clock.now(), lastRotatedAt });
  return replaced ? secret : null;
}

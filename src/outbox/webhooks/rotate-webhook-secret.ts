import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { replaceSecret } from './queries/read.ts';
import { newWebhookSecret, webhookSecretBinding } from './webhook-secret.ts';

/**
 * A new webhook secret. The previous one signs beside it for a day, so that the shop can change over in peace.
 * `lastRotatedAt` says which secret is meant: otherwise a second click would push out the secret that the shop's server
 * knows, and it would refuse every webhook. Null when that secret was already replaced.
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

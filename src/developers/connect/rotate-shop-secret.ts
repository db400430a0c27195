import { later, minute } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { revealWebhookSecret } from '../../outbox/webhooks/reveal-webhook-secret.ts';
import { newWebhookSecret, webhookSecretBinding } from '../../outbox/webhooks/sign-webhook.ts';
import { holdShopSecrets, writeShopSecrets } from './queries.ts';

/** A second click on the same page is answered like the first for so long: the first answer was never seen. */
const shownAgainFor = 1 * minute;

/**
 * A new secret for one connected shop; the one before signs beside it for a day. A shop that knows the business's own
 * secret gets its first. `lastRotatedAt` says which secret is meant, as in `reveal-webhook-secret.ts`. Null when there
 * is no such shop, or its secret was replaced since the page was opened.
 */
export async function rotateShopSecret(
  tx: Queryable,
  world: Pick<World, 'clock' | 'secrets'>,
  { merchantId, keyId, lastRotatedAt }: { merchantId: number; keyId: string; lastRotatedAt: Date | null },
): Promise<{ shopName: string; secret: string; isNew: boolean } | null> {
  const { secrets, clock } = world;
  const now = clock.now();
  const held = await holdShopSecrets(tx, merchantId, keyId);
  if (!held) return null;
  const { shop_name: shopName, webhook_secret: present, secret_rotated_at: rotatedAt } = held;
  const boundTo = webhookSecretBinding(merchantId, keyId);
  if (rotatedAt?.getTime() !== lastRotatedAt?.getTime()) {
    const isJustNow = present !== null && rotatedAt !== null && rotatedAt > later(now, -shownAgainFor);
    return isJustNow ? { shopName, secret: secrets.open(present, boundTo), isNew: false } : null;
  }
  const business = present === null ? await revealWebhookSecret(tx, world, merchantId) : null;
  const secret = newWebhookSecret();
  await writeShopSecrets(tx, merchantId, keyId, {
    webhook_secret: secrets.seal(secret, boundTo),
    old_webhook_secret: business ? secrets.seal(business.secret, boundTo) : present,
    secret_rotated_at: now,
  });
  return { shopName, secret, isNew: true };
}

import { later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { replaceSecret, selectSecrets } from './queries/deliveries.ts';
import { bothSecretsFor, newWebhookSecret, webhookSecretBinding } from './sign-webhook.ts';

export type RevealedSecret = {
  secret: string;
  /** Until when the previous secret also signs; null if it no longer does. */
  oldSignsUntil: Date | null;
  /** Null for the first secret. */
  rotatedAt: Date | null;
};

/** For the Integrations screen (§5). The caller has checked that the person signed in recently. */
export async function revealWebhookSecret(
  sql: Queryable,
  { clock, secrets }: Pick<World, 'clock' | 'secrets'>,
  merchantId: number,
): Promise<RevealedSecret | null> {
  const row = await selectSecrets(sql, merchantId);
  if (!row) return null;
  const secret = secrets.open(row.webhook_secret, webhookSecretBinding(merchantId));
  const until =
    row.old_webhook_secret && row.secret_rotated_at && later(row.secret_rotated_at, bothSecretsFor);
  const oldSignsUntil = until && until > clock.now() ? until : null;
  return { secret, oldSignsUntil, rotatedAt: row.secret_rotated_at };
}

/**
 * Replaces the webhook secret. The previous one also signs for a day, so that the shop has time to switch.
 * `lastRotatedAt` names the secret to replace. Without it, a second click would remove the secret that the shop's
 * server knows, and every webhook would be refused. Returns null if that secret was already replaced.
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

import { later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { replaceSecret, selectSecrets } from './queries/read.ts';
import { bothSecretsFor, newWebhookSecret, webhookSecretBinding } from './sign-webhook.ts';

export type RevealedSecret = {
  secret: string;
  /** Until when the secret before it signs too; null when there is none, or no longer. */
  oldSignsUntil: Date | null;
  /** When it took the place of another; null for the first. */
  rotatedAt: Date | null;
};

/** For the Integrations screen (§5). The caller has made sure that a freshly signed-in person asks. */
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

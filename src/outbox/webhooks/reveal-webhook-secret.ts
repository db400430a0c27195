import { later } from '../../base/clock.ts';
import type { Queryable } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { selectSecrets } from './queries/read.ts';
import { bothSecretsFor } from './sign-webhook.ts';
import { webhookSecretBinding } from './webhook-secret.ts';

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

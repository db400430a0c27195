import { selectSealedTotp, updateSealedTotp } from '../accounts/queries/factors.ts';
import { totpBinding } from '../accounts/totp.ts';
import { webhookSecretBinding } from '../merchants/create-merchant.ts';
import { selectWebhookSecrets, updateWebhookSecrets } from '../merchants/queries.ts';
import type { World } from '../world.ts';

/**
 * Moves every sealed value to the newest key of the ring. Put the new key first in SECRET_KEY on every machine, then
 * run this, then drop the old key. Interrupted, it goes on where it stopped: what is sealed anew is skipped.
 */
export async function sealAgain({ sql, secrets }: Pick<World, 'sql' | 'secrets'>): Promise<number> {
  let count = 0;
  const again = (sealed: string | null, boundTo: string) => {
    if (sealed === null || !secrets.isStale(sealed)) return sealed;
    count++;
    return secrets.seal(secrets.open(sealed, boundTo), boundTo);
  };
  for (const row of await selectWebhookSecrets(sql)) {
    const boundTo = webhookSecretBinding(row.merchant_id);
    await updateWebhookSecrets(sql, row, {
      ...row,
      webhook_secret: again(row.webhook_secret, boundTo) ?? row.webhook_secret,
      old_webhook_secret: again(row.old_webhook_secret, boundTo),
    });
  }
  for (const row of await selectSealedTotp(sql)) {
    const boundTo = totpBinding(row.merchant_id, row.user_id);
    await updateSealedTotp(sql, row, {
      ...row,
      totp_secret: again(row.totp_secret, boundTo),
      totp_pending: again(row.totp_pending, boundTo),
    });
  }
  return count;
}

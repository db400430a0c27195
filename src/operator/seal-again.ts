import { webhookSecretBinding } from '../merchants/create-merchant.ts';
import { selectWebhookSecrets, updateWebhookSecrets } from '../merchants/queries.ts';
import type { World } from '../world.ts';

/**
 * Moves every sealed value to the newest key of the ring. Put the new key first in SECRET_KEY on every machine, then
 * run this, then drop the old key. Interrupted, it goes on where it stopped: what is sealed anew is skipped.
 */
export async function sealAgain({ sql, secrets }: Pick<World, 'sql' | 'secrets'>): Promise<number> {
  let count = 0;
  for (const row of await selectWebhookSecrets(sql)) {
    const boundTo = webhookSecretBinding(row.merchant_id);
    const again = (sealed: string | null) => {
      if (sealed === null || !secrets.isStale(sealed)) return sealed;
      count++;
      return secrets.seal(secrets.open(sealed, boundTo), boundTo);
    };
    await updateWebhookSecrets(sql, row, {
      ...row,
      webhook_secret: again(row.webhook_secret) ?? row.webhook_secret,
      old_webhook_secret: again(row.old_webhook_secret),
    });
  }
  return count;
}

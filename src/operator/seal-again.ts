import { selectSealedTotp, updateSealedTotp } from '../accounts/queries/factors.ts';
import { totpBinding } from '../accounts/totp.ts';
import { credentialPlace } from '../mailboxes/open-login.ts';
import { webhookSecretBinding } from '../merchants/create-merchant.ts';
import type { World } from '../world.ts';
import { selectSealed, swapSealed } from './queries.ts';

/** Every column that holds a sealed value, with what its values are bound to. */
const sealedColumns = [
  { table: 'merchants', column: 'webhook_secret', place: webhookSecretBinding },
  { table: 'merchants', column: 'old_webhook_secret', place: webhookSecretBinding },
  { table: 'mailboxes', column: 'credential', place: credentialPlace },
] as const;

/**
 * Moves every sealed value to the newest key of the ring. Put the new key first in SECRET_KEY on every machine, then
 * run this, then drop the old key. Interrupted, it goes on where it stopped: what is sealed anew is skipped, and what
 * somebody changed meanwhile was sealed with the newest key already.
 */
export async function sealAgain({ sql, secrets }: Pick<World, 'sql' | 'secrets'>): Promise<number> {
  let count = 0;
  for (const { table, column, place } of sealedColumns) {
    for (const { merchant_id: merchantId, sealed } of await selectSealed(sql, table, column)) {
      if (!secrets.isStale(sealed)) continue;
      const boundTo = place(merchantId);
      const fresh = secrets.seal(secrets.open(sealed, boundTo), boundTo);
      if (await swapSealed(sql, table, column, { merchantId, sealed, fresh })) count++;
    }
  }
  const again = (sealed: string | null, boundTo: string) => {
    if (sealed === null || !secrets.isStale(sealed)) return sealed;
    count++;
    return secrets.seal(secrets.open(sealed, boundTo), boundTo);
  };
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

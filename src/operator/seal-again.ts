import { credentialPlace } from '../alerts/mailboxes/open-login.ts';
import type { World } from '../base/world.ts';
import { totpBinding } from '../business/accounts/second-factor.ts';
import { letterBinding } from '../outbox/mails/queue-mail.ts';
import { webhookSecretBinding } from '../outbox/webhooks/sign-webhook.ts';
import { erasureKeyBinding } from '../payments/matching/erased-references.ts';
import { erasureBinding } from '../privacy/erasure.ts';
import { countSealedByKey, selectSealed, swapSealed } from './queries.ts';

type SealedColumn = {
  table: string;
  column: string;
  /** A second column that the value is bound to, next to the business. */
  beside?: string;
  place(merchantId: number, beside: string): string;
};

/** Every column with sealed values, and what its values are bound to. Only release 0.2.0 opens those of `chats`. */
const sealedColumns: SealedColumn[] = [
  { table: 'merchants', column: 'webhook_secret', place: webhookSecretBinding },
  { table: 'merchants', column: 'old_webhook_secret', place: webhookSecretBinding },
  { table: 'connections', column: 'webhook_secret', beside: 'key_id', place: webhookSecretBinding },
  { table: 'connections', column: 'old_webhook_secret', beside: 'key_id', place: webhookSecretBinding },
  { table: 'mailboxes', column: 'credential', place: credentialPlace },
  { table: 'users', column: 'totp_secret', beside: 'user_id', place: totpBinding },
  { table: 'users', column: 'totp_pending', beside: 'user_id', place: totpBinding },
  { table: 'mails', column: 'sealed_text', beside: 'recipient', place: letterBinding },
  { table: 'erasures', column: 'sealed', beside: 'erasure_id', place: erasureBinding },
  { table: 'erasure_keys', column: 'sealed', place: erasureKeyBinding },
];

/**
 * Seals every value again with the newest key. Put the new key first in SECRET_KEY on every machine, run this, then
 * remove the old key. If it is interrupted, run it again: values under the newest key are skipped. Values that no key
 * opens are left and counted.
 */
export async function sealAgain({
  sql,
  secrets,
}: Pick<World, 'sql' | 'secrets'>): Promise<{ checked: number; sealed: number; lost: number }> {
  let [checked, count, lost] = [0, 0, 0];
  for (const { table, column, beside, place } of sealedColumns) {
    const rows = await selectSealed(sql, table, column, beside);
    for (const { merchant_id: merchantId, sealed, beside: further } of rows) {
      checked++;
      if (!secrets.isStale(sealed)) continue;
      if (!secrets.isOpenable(sealed)) {
        lost++;
        continue;
      }
      const boundTo = place(merchantId, further);
      const fresh = secrets.seal(secrets.open(sealed, boundTo), boundTo);
      if (await swapSealed(sql, table, column, { merchantId, sealed, fresh })) count++;
    }
  }
  return { checked, sealed: count, lost };
}

/** Counts stored secrets that no key opens: a key was mistyped, or was removed from SECRET_KEY too early. */
export async function countLostSecrets({ sql, secrets }: Pick<World, 'sql' | 'secrets'>): Promise<number> {
  let lost = 0;
  for (const { table, column } of sealedColumns) {
    for (const { mark, count } of await countSealedByKey(sql, table, column))
      if (!secrets.isOpenable(`${mark}.`)) lost += count;
  }
  return lost;
}

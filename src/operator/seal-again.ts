import { credentialPlace } from '../alerts/mailboxes/open-login.ts';
import type { World } from '../base/world.ts';
import { totpBinding } from '../business/accounts/second-factor.ts';
import { chatBinding } from '../outbox/chats/deliver-chat.ts';
import { letterBinding } from '../outbox/mails/queue-mail.ts';
import { webhookSecretBinding } from '../outbox/webhooks/sign-webhook.ts';
import { erasureKeyBinding } from '../payments/matching/erased-references.ts';
import { erasureBinding } from '../privacy/erasure.ts';
import { countSealedByKey, selectSealed, swapSealed } from './queries.ts';

type SealedColumn = {
  table: string;
  column: string;
  /** A further column that the value is bound to, beside the business. */
  beside?: string;
  place(merchantId: number, beside: string): string;
};

/** Every column that holds a sealed value, with what its values are bound to. */
const sealedColumns: SealedColumn[] = [
  { table: 'merchants', column: 'webhook_secret', place: webhookSecretBinding },
  { table: 'merchants', column: 'old_webhook_secret', place: webhookSecretBinding },
  { table: 'connections', column: 'webhook_secret', beside: 'key_id', place: webhookSecretBinding },
  { table: 'connections', column: 'old_webhook_secret', beside: 'key_id', place: webhookSecretBinding },
  { table: 'mailboxes', column: 'credential', place: credentialPlace },
  { table: 'users', column: 'totp_secret', beside: 'user_id', place: totpBinding },
  { table: 'users', column: 'totp_pending', beside: 'user_id', place: totpBinding },
  { table: 'mails', column: 'sealed_text', beside: 'recipient', place: letterBinding },
  { table: 'chats', column: 'sealed', beside: 'chat_id', place: chatBinding },
  { table: 'erasures', column: 'sealed', beside: 'erasure_id', place: erasureBinding },
  { table: 'erasure_keys', column: 'sealed', place: erasureKeyBinding },
];

/**
 * Moves every sealed value to the newest key of the ring. Put the new key first in SECRET_KEY on every machine, then
 * run this, then drop the old key. Interrupted, it goes on where it stopped: what is sealed anew is skipped, and what
 * somebody changed meanwhile was sealed with the newest key already. What no key of the ring opens is left and counted.
 */
export async function sealAgain({
  sql,
  secrets,
}: Pick<World, 'sql' | 'secrets'>): Promise<{ looked: number; sealed: number; lost: number }> {
  let [looked, count, lost] = [0, 0, 0];
  for (const { table, column, beside, place } of sealedColumns) {
    const rows = await selectSealed(sql, table, column, beside);
    for (const { merchant_id: merchantId, sealed, beside: further } of rows) {
      looked++;
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
  return { looked, sealed: count, lost };
}

/** How many stored secrets no key of the ring opens: a key was mistyped, or left SECRET_KEY before its time. */
export async function countLostSecrets({ sql, secrets }: Pick<World, 'sql' | 'secrets'>): Promise<number> {
  let lost = 0;
  for (const { table, column } of sealedColumns) {
    for (const { mark, count } of await countSealedByKey(sql, table, column))
      if (!secrets.isOpenable(`${mark}.`)) lost += count;
  }
  return lost;
}

import { later, minute } from '../../base/clock.ts';
import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { type Actor, recordAudit } from '../../business/accounts/record-audit.ts';
import { newToken } from '../../business/accounts/tokens.ts';
import { newWebhookSecret, webhookSecretBinding } from '../../outbox/webhooks/sign-webhook.ts';
import type { ConnectRequest } from './connect-request.ts';
import { type ShopSecrets, writeShopSecrets } from './queries.ts';

/** Enough for a browser to return and a server to ask. A code found in a log later opens nothing. */
const codeLives = 1 * minute;

/** The person, named by their mail address, and the address from which they agreed. */
export type Agreement = Actor & { userId: string; accountId: string };

/** Stores what the owner agreed to and returns the code. Only its hash is stored, so it cannot be shown again. */
export async function agreeToConnect(
  tx: Transaction,
  { shopName, returnUrl, webhookUrl, codeChallenge }: ConnectRequest,
  { merchantId, userId, actor, address, accountId, now }: Agreement,
): Promise<string> {
  const { token, hash } = newToken(merchantId);
  await tx`
    delete from connections where merchant_id = ${merchantId} and key_id is null and expires_at <= ${now}`;
  await tx`insert into connections ${tx({
    merchant_id: merchantId,
    code_hash: hash,
    code_challenge: codeChallenge,
    expires_at: later(now, codeLives),
    shop_name: shopName,
    return_url: returnUrl,
    webhook_url: webhookUrl,
    account_id: accountId,
    user_id: userId,
    agreed_at: now,
  })}`;
  const details = `${returnUrl}, ${accountId}`;
  await recordAudit(
    tx,
    { merchantId, actor, address, now },
    { action: 'connection.agree', subject: shopName, details },
  );
  return token;
}

/** A second click within this time is answered like the first, because the person never saw the first answer. */
const shownAgainFor = 1 * minute;

/**
 * Makes a new secret for one connected shop; the previous one also signs for a day. `lastRotatedAt` names the secret to
 * replace, as in `reveal-webhook-secret.ts`. Null if there is no such shop, or its secret was replaced after the page was
 * opened.
 */
export async function rotateShopSecret(
  tx: Queryable,
  { clock, secrets }: Pick<World, 'clock' | 'secrets'>,
  { merchantId, keyId, lastRotatedAt }: { merchantId: number; keyId: string; lastRotatedAt: Date | null },
): Promise<{ shopName: string; secret: string; isNew: boolean } | null> {
  const now = clock.now();
  // The row is locked until the transaction ends.
  const held = await tx<(ShopSecrets & { shop_name: string })[]>`
    select c.webhook_secret, c.old_webhook_secret, c.secret_rotated_at, c.shop_name
    from connections c join api_keys k using (merchant_id, key_id)
    where merchant_id = ${merchantId} and key_id = ${keyId} and k.revoked_at is null
    for no key update of c`.first();
  if (!held) return null;
  const { shop_name: shopName, webhook_secret: present, secret_rotated_at: rotatedAt } = held;
  const boundTo = webhookSecretBinding(merchantId, keyId);
  if (rotatedAt?.getTime() !== lastRotatedAt?.getTime()) {
    const isJustNow = rotatedAt !== null && rotatedAt > later(now, -shownAgainFor);
    return isJustNow ? { shopName, secret: secrets.open(present, boundTo), isNew: false } : null;
  }
  const secret = newWebhookSecret();
  await writeShopSecrets(tx, merchantId, keyId, {
    webhook_secret: secrets.seal(secret, boundTo),
    old_webhook_secret: present,
    secret_rotated_at: now,
  });
  return { shopName, secret, isNew: true };
}

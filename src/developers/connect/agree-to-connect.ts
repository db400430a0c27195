import { later, minute } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { type Doer, recordDeed } from '../../business/accounts/record-deed.ts';
import { newToken } from '../../business/accounts/tokens.ts';
import type { ConnectRequest } from './connect-request.ts';
import { deleteLapsedCodes, insertConnection } from './queries.ts';

/** As long as a browser needs to go back and a server to ask: a code that is found in a log later opens nothing. */
const codeLives = 1 * minute;

/** The doer is the person, by their mail address, and from where they agreed. */
export type Agreement = Doer & { userId: string; accountId: string };

/** Writes down what the owner agreed to, and returns the code: the only moment it exists outside the shop's hands. */
export async function agreeToConnect(
  tx: Transaction,
  { shopName, returnUrl, webhookUrl, codeChallenge }: ConnectRequest,
  { merchantId, userId, actor, address, accountId, now }: Agreement,
): Promise<string> {
  const { token, hash } = newToken(merchantId);
  await deleteLapsedCodes(tx, merchantId, now);
  await insertConnection(tx, {
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
  });
  const details = `${returnUrl}, ${accountId}`;
  await recordDeed(
    tx,
    { merchantId, actor, address, now },
    { action: 'connection.agree', subject: shopName, details },
  );
  return token;
}

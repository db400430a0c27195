import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { Role } from '../../business/accounts/may-do.ts';
import type { PresentedToken } from '../../business/accounts/tokens.ts';
import { type Standing, whyRefused } from '../../business/merchants/queries.ts';

export type ConnectionRow = {
  merchant_id: number;
  code_hash: Buffer;
  code_challenge: string;
  expires_at: Date;
  shop_name: string;
  return_url: string;
  webhook_url: string;
  account_id: string;
  user_id: string;
  agreed_at: Date;
};

/** Sealed. */
export type ShopSecrets = {
  webhook_secret: string;
  old_webhook_secret: string | null;
  secret_rotated_at: Date | null;
};

export type LockedConnection = ConnectionRow &
  Standing & {
    key_id: string | null;
    business_name: string;
    /** The person who agreed; null if they have left. */
    email: string | null;
    role: Role | null;
  };

/** Locks the row until the transaction ends, so that two requests with one code run one after the other. */
export async function lockConnection(tx: Transaction, { merchantId, hash }: PresentedToken) {
  return await tx<LockedConnection[]>`
    select c.*, m.name as business_name, u.email, u.role,
      ${whyRefused(tx)} as refusal
    from connections c
      join merchants m on m.merchant_id = c.merchant_id
      left join users u on u.merchant_id = c.merchant_id and u.user_id = c.user_id
    where c.merchant_id = ${merchantId} and c.code_hash = ${hash}
    for no key update of c, m`.first();
}

export async function markCollected(
  tx: Transaction,
  { merchant_id, code_hash }: Pick<ConnectionRow, 'merchant_id' | 'code_hash'>,
  collected: ShopSecrets & { key_id: string },
): Promise<void> {
  await tx`
    update connections set key_id = ${collected.key_id}, ${setSecrets(tx, collected)}
    where merchant_id = ${merchant_id} and code_hash = ${code_hash}`;
}

function setSecrets(sql: Queryable, secrets: ShopSecrets) {
  const { webhook_secret, old_webhook_secret, secret_rotated_at } = secrets;
  return sql`webhook_secret = ${webhook_secret}, old_webhook_secret = ${old_webhook_secret},
    secret_rotated_at = ${secret_rotated_at}`;
}

/** The keys that this shop got earlier and that still work. */
export async function selectEarlier(
  tx: Transaction,
  { merchant_id, return_url }: Pick<ConnectionRow, 'merchant_id' | 'return_url'>,
): Promise<{ key_id: string; webhook_secret: string }[]> {
  return await tx<{ key_id: string; webhook_secret: string }[]>`
    select key_id, webhook_secret from connections c join api_keys k using (merchant_id, key_id)
    where merchant_id = ${merchant_id} and c.return_url = ${return_url} and k.revoked_at is null
    order by c.agreed_at desc`;
}

export async function writeShopSecrets(
  tx: Queryable,
  merchantId: number,
  keyId: string,
  secrets: ShopSecrets,
): Promise<void> {
  await tx`
    update connections set ${setSecrets(tx, secrets)}
    where merchant_id = ${merchantId} and key_id = ${keyId}`;
}

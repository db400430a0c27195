import type { Queryable, Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { markUnasked } from './ask-other-cells.ts';
import { lockMerchant, type NewUpiAccount, selectAccountPlaces, unconfirmed } from './queries.ts';

/** An account that the operator added by command. It takes no orders until an owner confirms it. */
export type UnconfirmedAccount = Pick<NewUpiAccount, 'vpa' | 'kind'> & {
  account_id: string;
  payee_name: string;
  merchant_code: string | null;
  bank: string | null;
  account_digits: string | null;
  created_at: Date;
};

export async function selectUnconfirmed(sql: Queryable, merchantId: number): Promise<UnconfirmedAccount[]> {
  return await sql<UnconfirmedAccount[]>`
    select account_id, vpa, payee_name, kind, merchant_code, bank, account_digits, created_at from upi_accounts
    where merchant_id = ${merchantId} and removed_at = ${unconfirmed} order by created_at, account_id`;
}

/** Confirms the account as if the owner had added it now. `twice`: the same UPI ID is already in use. */
export async function confirmUpiAccount(
  tx: Transaction,
  world: Pick<World, 'clock' | 'cells'>,
  merchantId: number,
  accountId: string,
): Promise<'confirmed' | 'twice' | 'unknown'> {
  await lockMerchant(tx, merchantId);
  const account = (await selectUnconfirmed(tx, merchantId)).find(one => one.account_id === accountId);
  if (!account) return 'unknown';
  const places = await selectAccountPlaces(tx, merchantId);
  if (places.some(place => place.vpa.toLowerCase() === account.vpa.toLowerCase())) return 'twice';
  const now = world.clock.now();
  await tx`
    update upi_accounts set removed_at = null, created_at = ${now}, bank_named_at = ${now},
      is_default = ${!places.some(place => place.is_default)}
    where merchant_id = ${merchantId} and account_id = ${accountId}`;
  await markUnasked(tx, world, merchantId, accountId);
  return 'confirmed';
}

/** Deletes the row, because nothing refers to an account that was never used. Returns false for an unknown account. */
export async function dismissUpiAccount(
  tx: Transaction,
  merchantId: number,
  accountId: string,
): Promise<boolean> {
  await lockMerchant(tx, merchantId);
  return await tx`
    delete from upi_accounts
    where merchant_id = ${merchantId} and account_id = ${accountId} and removed_at = ${unconfirmed}
    returning account_id`.some();
}

import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { lockBusiness, markAccountRemoved, selectAccountPlaces } from './queries.ts';

/**
 * Takes an account out of use. Its open orders stay payable. The default account cannot be removed while there are
 * others: the merchant says where the money of later orders goes, we do not guess.
 */
export async function removeUpiAccount(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  accountId: string,
): Promise<'removed' | 'is_default' | 'unknown'> {
  await lockBusiness(tx, merchantId);
  const accounts = await selectAccountPlaces(tx, merchantId);
  const account = accounts.find(one => one.account_id === accountId);
  if (!account) return 'unknown';
  if (account.is_default && accounts.length > 1) return 'is_default';
  await markAccountRemoved(tx, merchantId, accountId, clock.now());
  return 'removed';
}

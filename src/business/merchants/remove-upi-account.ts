import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { lockBusiness, markAccountRemoved, selectAccountPlaces } from './queries.ts';

/**
 * Takes an account out of use. Its open orders stay payable. The default account cannot go while there are others:
 * where the money of later orders goes is for the merchant to say, and not for us to guess.
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

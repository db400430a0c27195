import type { Transaction } from '../../base/database/connect.ts';
import { lockBusiness, markDefaultAccount } from './queries.ts';

/** Orders that name no account go to this one from now on. Two choices at once take turns; the last one stands. */
export async function chooseDefaultAccount(
  tx: Transaction,
  merchantId: number,
  accountId: string,
): Promise<boolean> {
  await lockBusiness(tx, merchantId);
  return await markDefaultAccount(tx, merchantId, accountId);
}

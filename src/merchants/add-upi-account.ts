import type { Transaction } from '../database/connect.ts';
import { randomId } from '../random.ts';
import type { World } from '../world.ts';
import { insertUpiAccount, lockBusiness } from './queries.ts';

export type NewUpiAccount = {
  vpa: string;
  payeeName: string;
  kind: 'personal' | 'merchant';
  merchantCode?: string | null;
  /** The id of the file of its bank: alerts of no other bank count. */
  bank: string;
  accountDigits?: string | null;
};

/** A UPI account that orders can be created on. The first one of a business is its default. */
export async function addUpiAccount(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  account: NewUpiAccount,
): Promise<string> {
  const accountId = randomId('acc');
  await lockBusiness(tx, merchantId);
  await insertUpiAccount(tx, { merchantId, accountId, now: clock.now() }, account);
  return accountId;
}

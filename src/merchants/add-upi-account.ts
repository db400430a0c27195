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
  await insertUpiAccount(tx, {
    merchant_id: merchantId,
    account_id: accountId,
    vpa: account.vpa,
    payee_name: account.payeeName,
    kind: account.kind,
    merchant_code: account.merchantCode ?? null,
    bank: account.bank,
    account_digits: account.accountDigits ?? null,
    created_at: clock.now(),
  });
  return accountId;
}

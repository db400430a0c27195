import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { lockBusiness, writeAccountBank } from './queries.ts';
import type { AccountBank } from './read-upi-account.ts';

/** From now on alerts must be of this bank and these digits (R13). False when there is no such account. */
export async function changeAccountBank(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  accountId: string,
  bank: AccountBank,
): Promise<boolean> {
  await lockBusiness(tx, merchantId);
  return await writeAccountBank(tx, merchantId, accountId, bank, clock.now());
}

import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { markUnasked } from './ask-other-cells.ts';
import { lockBusiness, writeAccountBank } from './queries.ts';
import type { AccountBank } from './read-upi-account.ts';

/** From now on alerts must be of this bank and these digits (R13). False when there is no such account. */
export async function changeAccountBank(
  tx: Transaction,
  world: Pick<World, 'clock' | 'cells'>,
  merchantId: number,
  accountId: string,
  bank: AccountBank,
): Promise<boolean> {
  await lockBusiness(tx, merchantId);
  const isChanged = await writeAccountBank(tx, merchantId, accountId, bank, world.clock.now());
  if (isChanged) await markUnasked(tx, world, merchantId, accountId);
  return isChanged;
}

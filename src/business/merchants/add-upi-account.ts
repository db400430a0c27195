import type { Transaction } from '../../base/database/connect.ts';
import { randomId } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { markUnasked } from './ask-other-cells.ts';
import { insertUpiAccount, lockBusiness, type NewUpiAccount } from './queries.ts';

/** A UPI account that orders can be created on once it is confirmed. The first one of a business is its default. */
export async function addUpiAccount(
  tx: Transaction,
  world: Pick<World, 'clock' | 'cells'>,
  merchantId: number,
  account: NewUpiAccount,
  isConfirmed = true,
): Promise<string> {
  const accountId = randomId('acc');
  await lockBusiness(tx, merchantId);
  await insertUpiAccount(tx, { merchantId, accountId, now: world.clock.now() }, account, isConfirmed);
  await markUnasked(tx, world, merchantId, accountId);
  return accountId;
}

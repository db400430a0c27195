import type { Transaction } from '../../base/database/connect.ts';
import { randomId } from '../../base/random.ts';
import type { World } from '../../base/world.ts';
import { markUnasked } from './ask-other-cells.ts';
import {
  insertUpiAccount,
  lockMerchant,
  markAccountRemoved,
  type NewUpiAccount,
  selectAccountPlaces,
} from './queries.ts';
import type { AccountBank } from './read-upi-account.ts';

/** Adds an account. It takes orders once it is confirmed. A business's first account is its default. */
export async function addUpiAccount(
  tx: Transaction,
  world: Pick<World, 'clock' | 'cells'>,
  merchantId: number,
  account: NewUpiAccount,
  isConfirmed = true,
): Promise<string> {
  const accountId = randomId('acc');
  await lockMerchant(tx, merchantId);
  await insertUpiAccount(tx, { merchantId, accountId, now: world.clock.now() }, account, isConfirmed);
  await markUnasked(tx, world, merchantId, accountId);
  return accountId;
}

/** Sets the bank and digits that alerts must match (R13). Returns false for an unknown account. */
export async function changeAccountBank(
  tx: Transaction,
  world: Pick<World, 'clock' | 'cells'>,
  merchantId: number,
  accountId: string,
  { bank, accountDigits }: AccountBank,
): Promise<boolean> {
  await lockMerchant(tx, merchantId);
  const isChanged = await tx`
    update upi_accounts set bank = ${bank}, account_digits = ${accountDigits}, bank_named_at = ${world.clock.now()}
    where merchant_id = ${merchantId} and account_id = ${accountId} and removed_at is null
    returning account_id`.some();
  if (isChanged) await markUnasked(tx, world, merchantId, accountId);
  return isChanged;
}

/** Sets the account of orders that name none. If two people choose at once, the last one wins. */
export async function chooseDefaultAccount(
  tx: Transaction,
  merchantId: number,
  accountId: string,
): Promise<boolean> {
  await lockMerchant(tx, merchantId);
  const [row] = await tx`
    select from upi_accounts where merchant_id = ${merchantId} and account_id = ${accountId} and removed_at is null`;
  if (!row) return false;
  await tx`update upi_accounts set is_default = false where merchant_id = ${merchantId} and is_default`;
  await tx`update upi_accounts set is_default = true where merchant_id = ${merchantId} and account_id = ${accountId}`;
  return true;
}

/** Open orders stay payable. The default stays while there are others: the merchant chooses where money goes. */
export async function removeUpiAccount(
  tx: Transaction,
  { clock }: Pick<World, 'clock'>,
  merchantId: number,
  accountId: string,
): Promise<'removed' | 'is_default' | 'unknown'> {
  await lockMerchant(tx, merchantId);
  const accounts = await selectAccountPlaces(tx, merchantId);
  const account = accounts.find(one => one.account_id === accountId);
  if (!account) return 'unknown';
  if (account.is_default && accounts.length > 1) return 'is_default';
  await markAccountRemoved(tx, merchantId, accountId, clock.now());
  return 'removed';
}

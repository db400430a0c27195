import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { type Deed, recordDeed } from '../../business/accounts/record-deed.ts';
import { type Answer, notFound, redirect, type Visit } from '../frame/route.ts';
import { type BusinessRow, selectBusiness } from './queries/operator.ts';

export const home = '/dashboard/operator' as const;
export const addressOf = (row: Pick<BusinessRow, 'merchant_id'>) => `${home}/businesses/${row.merchant_id}`;

type BusinessChange = {
  /** False where there was nothing to change. */
  make: (tx: Transaction, merchantId: number) => Promise<boolean>;
  deed: Omit<Deed, 'subject'>;
  flash: (row: BusinessRow) => string;
};

/** Written into the installation's log and into the business's own: its owner must see what was done to it. */
export async function changeBusiness(
  world: World,
  visit: Visit,
  { make, deed, flash }: BusinessChange,
): Promise<Answer> {
  const row = await findBusiness(world, visit);
  if (!row) return notFound();
  const isMade = await world.sql.begin(async tx => {
    if (!(await make(tx, row.merchant_id))) return false;
    await recordInBoth(tx, visit, row.merchant_id, deed);
    return true;
  });
  return redirect(addressOf(row), isMade ? flash(row) : visit.texts.operatorPlatform.unchanged);
}

export async function recordInBoth(
  tx: Transaction,
  visit: Visit,
  merchantId: number,
  deed: Omit<Deed, 'subject'>,
): Promise<void> {
  const { user, address, now } = visit;
  const subject = String(merchantId);
  const { notice: _told, ...own } = deed;
  await recordDeed(tx, { merchantId: user.merchantId, actor: user.email, address, now }, { ...own, subject });
  await recordDeed(tx, { merchantId, actor: `operator ${user.email}`, address, now }, { ...deed, subject });
}

export async function findBusiness(world: World, { params, now }: Visit): Promise<BusinessRow | null> {
  const id = params['merchant_id'] ?? '';
  return /^\d{1,15}$/.test(id) ? await selectBusiness(world.sql, Number(id), now) : null;
}

import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { type Deed, type Doer, recordDeed } from '../../business/accounts/record-deed.ts';
import { refuseMoved } from '../../business/merchants/queries.ts';
import type { Visit } from './route.ts';

/** Call in the transaction of the change: the audit row and the owner's notice exist exactly when the change does. */
export async function recordChange(tx: Transaction, visit: Visit, deed: Deed): Promise<void> {
  // Let in before the business was moved away: too late now, for its rows are being copied.
  if (visit.business.leftAt === null) await refuseMoved(tx, visit.merchantId);
  await recordDeed(tx, doerOf(visit), deed);
}

/**
 * A change and its record in one transaction. `change` returns its action, or null where there was nothing to change.
 */
export async function makeChange(
  world: Pick<World, 'sql'>,
  visit: Visit,
  change: (tx: Transaction) => Promise<Deed | null>,
): Promise<boolean> {
  return (await recorded(world, visit, change, deed => deed)) !== null;
}

/** The same for a change of which something comes: `deed` names the action by it, where there was one. */
export async function recorded<T>(
  { sql }: Pick<World, 'sql'>,
  visit: Visit,
  change: (tx: Transaction) => Promise<T>,
  deed: (made: T) => Deed | null | false,
): Promise<T> {
  return await sql.begin(async tx => {
    const made = await change(tx);
    const done = deed(made);
    if (done) await recordChange(tx, visit, done);
    return made;
  });
}

export function doerOf({ merchantId, user, address, now }: Visit): Doer {
  return { merchantId, actor: user.email, address, now };
}

import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { type Actor, type AuditedChange, recordAudit } from '../../business/accounts/record-audit.ts';
import { refuseMoved } from '../../business/merchants/queries.ts';
import type { Visit } from './route.ts';

/** Call in the change's transaction: the audit row and the owner's notice then exist exactly when the change does. */
export async function recordChange(tx: Transaction, visit: Visit, audited: AuditedChange): Promise<void> {
  // The move may have begun after this visit's checks. A change would be lost, because its rows are being copied.
  if (visit.merchant.leftAt === null) await refuseMoved(tx, visit.merchantId);
  await recordAudit(tx, actorOf(visit), audited);
}

/**
 * Makes a change and its audit entry in one transaction. `entryOf` returns the entry for the change's result. Without
 * it `change` itself returns the entry, or null if nothing changed.
 */
export async function makeChange(
  world: Pick<World, 'sql'>,
  visit: Visit,
  change: (tx: Transaction) => Promise<AuditedChange | null>,
): Promise<AuditedChange | null>;
export async function makeChange<T>(
  world: Pick<World, 'sql'>,
  visit: Visit,
  change: (tx: Transaction) => Promise<T>,
  entryOf: (made: T) => AuditedChange | null | false,
): Promise<T>;
export async function makeChange<T>(
  { sql }: Pick<World, 'sql'>,
  visit: Visit,
  change: (tx: Transaction) => Promise<T>,
  entryOf = (made: T) => made as AuditedChange | null | false,
): Promise<T> {
  return await sql.begin(async tx => {
    const made = await change(tx);
    const entry = entryOf(made);
    if (entry) await recordChange(tx, visit, entry);
    return made;
  });
}

export function actorOf({ merchantId, user, address, now }: Visit): Actor {
  return { merchantId, actor: user.email, address, now };
}

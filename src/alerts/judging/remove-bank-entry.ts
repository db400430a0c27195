import type { Transaction } from '../../base/database/connect.ts';
import type { World } from '../../base/world.ts';
import { type Doer, installation, recordDeed } from '../../business/accounts/record-deed.ts';
import { extendBanks } from '../banks/load-banks.ts';
import { bankChannel } from './bank-book.ts';
import { lockEntries, markEntryRemoved, selectEntries } from './queries/bank-entries.ts';

/** `needed`: another entry could not be read without it. Payments it has confirmed stay confirmed. */
export type Removal = 'removed' | 'unknown' | 'needed';

export async function removeBankEntry(
  tx: Transaction,
  { banks, clock }: Pick<World, 'banks' | 'clock'>,
  entryId: number,
  { actor, address }: Pick<Doer, 'actor' | 'address'>,
): Promise<Removal> {
  await lockEntries(tx);
  const stored = await selectEntries(tx);
  const removed = stored.find(one => one.entry_id === entryId);
  if (!removed) return 'unknown';
  const skippedOf = (entries: typeof stored) =>
    extendBanks(banks.base(), entries).skipped.filter(one => one.entryId !== entryId).length;
  if (skippedOf(stored.filter(one => one !== removed)) > skippedOf(stored)) return 'needed';
  const doer = { merchantId: installation, actor, address, now: clock.now() };
  await markEntryRemoved(tx, entryId, doer.now);
  await recordDeed(tx, doer, {
    action: 'bank_entry.remove',
    subject: removed.bank,
    details: { entry_id: String(entryId), entry: JSON.stringify(removed.entry) },
  });
  await tx.notify(bankChannel, '');
  return 'removed';
}

import { second } from '../../base/clock.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { keepWorking, type Worker } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { type Actor, installation, recordAudit } from '../../business/accounts/record-audit.ts';
import { extendBanks } from '../banks/load-banks.ts';
import { BanksFileError } from '../banks/read-json-with-lines.ts';
import { alertChannel } from '../queries.ts';
import { bankChannel } from './open-bank-book.ts';
import { insertEntry, lockEntries, markEntryRemoved, releaseHeld, selectEntries } from './queries.ts';

const mostEntries = 1000;
const largestEntry = 64 * 1024;

export type SavedBy = Pick<Actor, 'actor' | 'address'> & { note?: string };

export type SavedEntry = { entryId: number; bank: string /** Mails that are judged again. */; held: number };

/**
 * Adds a bank's entry to this installation, at once for all its processes. Mails of this bank that could not be read
 * are judged again. An entry that would be refused in a file throws `BanksFileError` and stores nothing.
 */
export async function saveBankEntry(
  tx: Transaction,
  { banks, clock }: Pick<World, 'banks' | 'clock'>,
  entry: object,
  { actor, address, note = '' }: SavedBy,
): Promise<SavedEntry> {
  const text = JSON.stringify(entry);
  if (text.length > largestEntry) throw new BanksFileError(1, `is longer than ${largestEntry} characters`);
  await lockEntries(tx);
  const stored = await selectEntries(tx);
  if (stored.length >= mostEntries)
    throw new BanksFileError(1, `${mostEntries} entries are saved already; remove some`);
  const { skipped } = extendBanks(banks.base(), [...stored, { entry_id: null, entry }]);
  const refused = skipped.find(one => one.entryId === null);
  if (refused) throw refused.error;
  const { id: bank } = entry as { id: string };
  const now = clock.now();
  const entryId = await insertEntry(tx, { bank, entry, note, saved_at: now, saved_by: actor });
  const who = { merchantId: installation, actor, address, now };
  const details = { entry_id: String(entryId), entry: text };
  await recordAudit(tx, who, { action: 'bank_entry.save', subject: bank, details });
  const held = await releaseHeld(tx, bank, now);
  await tx.notify(bankChannel, '');
  await tx.notify(alertChannel, '');
  return { entryId, bank, held };
}

/** `needed`: another entry cannot be read without this one. Payments that it confirmed stay confirmed. */
export type Removal = 'removed' | 'unknown' | 'needed';

export async function removeBankEntry(
  tx: Transaction,
  { banks, clock }: Pick<World, 'banks' | 'clock'>,
  entryId: number,
  { actor, address }: Pick<Actor, 'actor' | 'address'>,
): Promise<Removal> {
  await lockEntries(tx);
  const stored = await selectEntries(tx);
  const removed = stored.find(one => one.entry_id === entryId);
  if (!removed) return 'unknown';
  const skippedOf = (entries: typeof stored) =>
    extendBanks(banks.base(), entries).skipped.filter(one => !one.isUsed && one.entryId !== entryId).length;
  if (skippedOf(stored.filter(one => one !== removed)) > skippedOf(stored)) return 'needed';
  const who = { merchantId: installation, actor, address, now: clock.now() };
  await markEntryRemoved(tx, entryId, who.now);
  await recordAudit(tx, who, {
    action: 'bank_entry.remove',
    subject: removed.bank,
    details: { entry_id: String(entryId), entry: JSON.stringify(removed.entry) },
  });
  await tx.notify(bankChannel, '');
  return 'removed';
}

/** Every process that reads mail or names banks runs this. */
export function startFollowingBanks(world: Pick<World, 'sql' | 'log' | 'banks'>): Worker {
  const rhythm = { what: 'looking for saved bank entries', pause: checkEvery, channel: bankChannel };
  return keepWorking(world, rhythm, () => world.banks.reload(world));
}

/** If no NOTIFY arrives, a poll finds saved entries this often. */
const checkEvery = 5 * second;

import type { Queryable, Transaction } from '../../base/database/connect.ts';
import { mostMailBytes } from '../mail/limits.ts';
import { hasRaw } from '../queries.ts';

export type StoredEntry = {
  entry_id: number;
  bank: string;
  /** The entry in the format of a bank's file. */
  entry: object;
  note: string;
  saved_at: Date;
  saved_by: string;
  removed_at: Date | null;
};

export async function selectEntries(sql: Queryable, { withRemoved = false }: { withRemoved?: boolean } = {}) {
  return await sql<StoredEntry[]>`
    select * from bank_entries ${withRemoved ? sql`` : sql`where removed_at is null`} order by entry_id`;
}

/** Saves and removals run one at a time, because each entry is checked against all others. */
export async function lockEntries(tx: Transaction): Promise<void> {
  await tx`lock table bank_entries in share row exclusive mode`;
}

type NewEntry = Pick<StoredEntry, 'bank' | 'entry' | 'note' | 'saved_at' | 'saved_by'>;

export async function insertEntry(tx: Transaction, row: NewEntry): Promise<number> {
  const [stored] = await tx<{ entry_id: number }[]>`
    insert into bank_entries ${tx({ ...row, entry: tx.json(row.entry) })} returning entry_id`;
  return stored!.entry_id;
}

export async function markEntryRemoved(tx: Transaction, entryId: number, now: Date): Promise<void> {
  await tx`update bank_entries set removed_at = ${now} where entry_id = ${entryId}`;
}

/**
 * Unreadable mails of this bank, or of no known bank, become due like retried mails: after newly arriving ones, in the
 * order of their own time.
 */
export async function releaseHeld(tx: Transaction, bank: string, now: Date): Promise<number> {
  const rows = await tx`
    update alerts a set verdict = 'unjudged', next_try_at = ${now}, tries = 1, held_line = null
    where verdict = 'unreadable' and (bank = ${bank} or bank is null)
      and ${hasRaw(tx)} and raw_bytes <= ${mostMailBytes} and claim is null
    returning alert_id`;
  return rows.length;
}

/**
 * Whether an entry was saved that the judge did not know. The lock waits for a save in progress: either that save
 * finds this mail among the unreadable ones, or this query finds its entry.
 */
export async function hasNewerEntry(tx: Transaction, known: number): Promise<boolean> {
  await tx`lock table bank_entries in row exclusive mode`;
  const rows = await tx`select from bank_entries where entry_id > ${known} limit 1`;
  return rows.length === 1;
}

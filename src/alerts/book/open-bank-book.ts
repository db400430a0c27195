import type { Queryable } from '../../base/database/connect.ts';
import type { Log } from '../../base/log.ts';
import type { Bank } from '../banks/bank.ts';
import { extendBanks, type Skipped } from '../banks/load-banks.ts';
import { selectEntries } from './queries.ts';

/** The NOTIFY of a saved or removed entry. */
export const bankChannel = 'banks';
type BankBook = ReturnType<typeof openBankBook>;

/** The banks as this process knows them now: those that come with it, and those saved while it runs. */
export function openBankBook(readBase: () => readonly Bank[]) {
  let known: readonly Bank[] | null = null;
  let extended: readonly Bank[] | null = null;
  let skipped: readonly Skipped[] = [];
  let seen = '';
  let newest = 0;
  const base = (): readonly Bank[] => {
    known ??= readBase();
    return known;
  };
  return {
    /** What comes with the service and the operator's file. */
    base,
    /** With what was saved; the same list until something changes. */
    current: () => extended ?? base(),
    /** The newest entry that is known here: a mail judged without a newer one may have been read without its template. */
    newest: () => newest,
    /** Entries that cannot be read beside today's banks, such as a template that meanwhile comes with the service. */
    skipped: () => skipped,
    /** Takes over what is saved now. */
    async reload({ sql, log }: { sql: Queryable; log: Log }): Promise<void> {
      const stored = await selectEntries(sql);
      const ids = stored.map(one => one.entry_id);
      if (ids.join() === seen) return;
      ({ banks: extended, skipped } = extendBanks(base(), stored));
      for (const { entryId, error } of skipped)
        log.error({ entryId, problem: error.message }, 'a saved bank entry cannot be read and is left out');
      newest = Math.max(newest, ...ids);
      seen = ids.join();
    },
  };
}

declare module '../../base/world.ts' {
  interface World {
    banks: BankBook;
  }
}

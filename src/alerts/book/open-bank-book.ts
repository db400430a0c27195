import type { Queryable } from '../../base/database/connect.ts';
import type { Log } from '../../base/log.ts';
import type { Bank } from '../banks/bank.ts';
import { extendBanks, type Skipped } from '../banks/load-banks.ts';
import { selectEntries } from './queries.ts';

export const bankChannel = 'banks';

/** The banks that this process knows now: the built-in ones, and those saved at run time. */
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
    /** The built-in banks and the operator's file. */
    base,
    /** The banks with saved entries; the same list until something changes. */
    current: () => extended ?? base(),
    /** The newest entry known here. A mail judged without a newer one may have been read without its template. */
    newest: () => newest,
    /** Entries that are not fully used, such as a template that a release now includes, or an opening refused now. */
    skipped: () => skipped,
    async reload({ sql, log }: { sql: Queryable; log: Log }): Promise<void> {
      const stored = await selectEntries(sql);
      const ids = stored.map(one => one.entry_id);
      if (ids.join() === seen) return;
      ({ banks: extended, skipped } = extendBanks(base(), stored));
      for (const { entryId, error, isUsed } of skipped)
        log.error({ entryId, problem: error.message, isUsed }, 'a saved bank entry is not fully used');
      newest = Math.max(newest, ...ids);
      seen = ids.join();
    },
  };
}

declare module '../../base/world.ts' {
  interface World {
    banks: ReturnType<typeof openBankBook>;
  }
}

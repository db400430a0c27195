import { minute } from '../base/clock.ts';
import { runInThread } from '../base/run-in-thread.ts';
import type { World } from '../base/world.ts';
import { type ArchivePart, replacePart, selectParts } from './queries/finding.ts';
import type { Searched, Wanted } from './search-part.ts';
import type { SearchTask } from './search-worker.ts';

const script = new URL('./search-worker.ts', import.meta.url);
/** A hostile part can take half a minute and 300 MB. An honest part takes less time than starting a thread. */
const partsAtOnce = 5;
const limits = { timeLimit: 5 * minute, memoryMb: 384 };
/** One thread at a time per process, because several could fill its memory. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Searches the monthly archives for lines of these orders or with a value, and for orders whose emptied lines still
 * have one. Call it after the orders themselves are emptied. Then later archives are clean, and earlier ones are
 * searched here.
 */
export async function searchArchives(
  { sql }: Pick<World, 'sql'>,
  { merchantId, ...wanted }: Wanted & { merchantId: number },
): Promise<{ found: string[]; kept: string[] }> {
  let found: string[] = [];
  let kept: string[] = [];
  let after: ArchivePart | undefined;
  for (;;) {
    const parts = await selectParts(sql, merchantId, after, partsAtOnce);
    if (parts.length === 0) return { found, kept };
    const task: SearchTask = { ...wanted, parts: parts.map(part => part.csv_gzip) };
    const turn = last.then(() => runInThread<Searched[] | string>(script, task, limits));
    last = turn.catch(() => {});
    const searched = await turn;
    if (typeof searched === 'string')
      throw new Error(
        `order archives of business ${merchantId} from ${parts[0]!.month} on could not be searched: ${searched === 'gave_up' ? 'that took too long or too much memory' : searched}`,
      );
    for (const [place, one] of searched.entries()) {
      const part = parts[place]!;
      // Another erasure changed the part during the search. Search it again, or what that one erased would return.
      if (one.changed && !(await replacePart(sql, merchantId, part, Buffer.from(one.changed)))) break;
      found = found.concat(one.found);
      kept = kept.concat(one.kept);
      after = part;
    }
  }
}

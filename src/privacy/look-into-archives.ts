import { minute } from '../base/clock.ts';
import { runInThread } from '../base/run-in-thread.ts';
import type { World } from '../base/world.ts';
import { type ArchivePart, replacePart, selectParts } from './queries/finding.ts';
import type { Searched, Wanted } from './search-part.ts';
import type { SearchTask } from './search-worker.ts';

const script = new URL('./search-worker.ts', import.meta.url);
/** A hostile part can take half a minute and 300 MB; an honest one takes less than the start of a thread. */
const partsAtOnce = 5;
const limits = { timeLimit: 5 * minute, memoryMb: 384 };
/** One thread at a time in one process: several would fill its memory. */
let last: Promise<unknown> = Promise.resolve();

/**
 * The lines of the monthly archives about these orders, or in which a value stands; and the orders whose lines hold one
 * still when they are emptied. To be called once the orders themselves are emptied: what is archived from then on has
 * nothing to hide, and what was archived before is here.
 */
export async function lookIntoArchives(
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
      // Another erasure changed it while it was searched: search it again, or what that one erased would come back.
      if (one.changed && !(await replacePart(sql, merchantId, part, Buffer.from(one.changed)))) break;
      found = found.concat(one.found);
      kept = kept.concat(one.kept);
      after = part;
    }
  }
}

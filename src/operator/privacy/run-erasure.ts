import { day, hour, later, minute } from '../../base/clock.ts';
import type { World } from '../../base/world.ts';
import { eraseTraces } from './erase-traces.ts';
import { type Erasure, erasureBinding, type Report } from './erasure.ts';
import { findTraces, hits, type Sought } from './find-traces.ts';
import { markValue, watchFor } from './keep-list.ts';
import { lookIntoArchives } from './look-into-archives.ts';
import { needlesOf, valuesIn } from './person-values.ts';
import { countErased, storeReport } from './queries/erasures.ts';

/** What waits is asked about again after so long; where nothing waits, late mails are looked for. Later ever more rarely. */
const whileWaiting = 10 * minute;
const whileWatching = 1 * hour;
const longestPause = 1 * day;
const mostListed = 200;

/**
 * One look at all that is to be erased: found, emptied as far as it is decided, then the archives. Killed anywhere, the
 * next one begins anew and finds what is left. It is over when nothing waits and no late mail is expected any more.
 */
export async function runErasure(
  world: Pick<World, 'sql' | 'clock' | 'secrets'>,
  key: Buffer,
  erasure: Erasure,
): Promise<Report> {
  const { merchant_id: merchantId, erasure_id: erasureId, asked_at: before, report: last } = erasure;
  const now = world.clock.now();
  const sought: Sought = { merchantId, before, erasureId, ...soughtBy(world, key, erasure) };
  const traces = await findTraces(world.sql, sought);
  const { isHit } = sought;
  const { erased, waits } = await eraseTraces(world, { merchantId, erasureId, key, isHit }, traces);
  const isChanged = Object.values(erased).some(count => count > 0);
  const orders = new Set([...traces.order].filter(id => !waits.some(wait => wait.id === id)));
  const archives =
    isChanged || erasure.erased_at === null
      ? await lookIntoArchives(world, { merchantId, orders, isHit, before, erases: true })
      : null;
  const report: Report = {
    erased: {
      ...(await countErased(world.sql, erasure)),
      events: (last.erased?.['events'] ?? 0) + erased.event,
      notices: (last.erased?.['notices'] ?? 0) + erased.notice,
      archives: (last.erased?.['archives'] ?? 0) + (archives?.found.length ?? 0),
    },
    waits: waits.slice(0, mostListed),
    kept: [
      ...[...traces.deedsWithValues].map(id => ({ what: 'audit', id }) as const),
      ...[...traces.ordersWithValues].map(id => ({ what: 'order_id', id }) as const),
      ...(archives
        ? archives.kept.map(id => ({ what: 'archive', id }) as const)
        : (last.kept ?? []).filter(({ what }) => what === 'archive')),
      // Such an id is the value itself: the report says only how many there are.
      ...(traces.spentIds.size > 0 ? [{ what: 'spent_id', id: String(traces.spentIds.size) } as const] : []),
    ].slice(0, mostListed),
  };
  const isOver = waits.length === 0 && now >= erasure.watch_until;
  const age = now.getTime() - later(erasure.watch_until, -watchFor).getTime();
  const pause = Math.max(waits.length > 0 ? whileWaiting : whileWatching, Math.min(age / 4, longestPause));
  // The last look at the end of the watch itself: what was typed is kept no longer than was said.
  const left = age < watchFor ? watchFor - age : longestPause;
  const nextAt = isOver ? null : later(now, Math.min(pause, left));
  await storeReport(world.sql, erasure, { report, now, isErased: waits.length === 0, nextAt });
  return report;
}

/** By what was typed; after a restore, and where that can be opened no more, by the marks of every value that is found. */
function soughtBy(
  { secrets }: Pick<World, 'secrets'>,
  key: Buffer,
  { merchant_id, erasure_id, sealed, marks }: Erasure,
): Pick<Sought, 'isHit' | 'needles'> {
  if (sealed !== null && secrets.isOpenable(sealed)) {
    const values: string[] = JSON.parse(secrets.open(sealed, erasureBinding(merchant_id, erasure_id)));
    return { isHit: hits(values), needles: needlesOf(values) };
  }
  const wanted = new Set(marks);
  return {
    isHit: text => [...valuesIn(text)].some(value => wanted.has(markValue(key, merchant_id, value))),
    needles: null,
  };
}

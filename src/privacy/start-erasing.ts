import { randomUUID } from 'node:crypto';
import { day, hour, later, minute } from '../base/clock.ts';
import { keepWorking, type Worker } from '../base/database/keep-working.ts';
import { endLease, takeLease } from '../base/database/process-lease.ts';
import type { World } from '../base/world.ts';
import { eraseTraces } from './erase-traces.ts';
import { type Erasure, erasureBinding, type Kept, type Report, type Wait } from './erasure.ts';
import { findTraces, type Sought } from './find-traces.ts';
import { keepErasureList, watchFor } from './keep-erasure-list.ts';
import { hits, needlesOf, type Seek } from './person-values.ts';
import { personalList } from './personal-columns.ts';
import { countErased, erasureChannel, selectDueErasures, storeReport } from './queries/erasures.ts';
import { readTexts, selectPlaces } from './queries/finding.ts';
import { searchArchives } from './search-archives.ts';

const pause = 1 * minute;
/** Longer than one run over a large business. A second run at the same time would repeat the work. */
const leaseFor = 10 * minute;
const leaseName = 'erasures';
const atOnce = 20;
const afterFailure = 1 * hour;

type Erasing = Pick<World, 'sql' | 'clock' | 'secrets' | 'config' | 'log'>;

/** Runs the owners' erasure requests, one process at a time. Every process keeps its own list of requests. */
export function startErasing(world: Erasing): Pick<Worker, 'stop'> {
  const holder = randomUUID();
  const worker = keepWorking(world, { what: 'erasing', pause, channel: erasureChannel }, () =>
    eraseDue(world, holder),
  );
  return {
    async stop() {
      await worker.stop();
      await endLease(world.sql, leaseName, holder).catch(() => {});
    },
  };
}

/** One round. If no list can be written, nothing is erased, because a restored backup would silently bring it back. */
export async function eraseDue(world: Erasing, holder: string): Promise<void> {
  const { sql, clock, log } = world;
  const due = async () => await selectDueErasures(sql, clock.now(), atOnce);
  const wanted = await due();
  const list = await keepErasureList(world, wanted);
  if (list === null) return;
  if ('problem' in list) {
    const { problem, cause } = list;
    log.error({ problem, cause, file: world.config.erasuresFile }, 'nothing can be erased');
    for (const one of wanted) await refuse(world, one, problem, one.next_at);
    return;
  }
  if (!(await takeLease(sql, leaseName, holder, leaseFor))) return;
  for (const erasure of await due()) {
    // The typed values cannot be decrypted: SECRET_KEY was changed, and they were not sealed again.
    const ids = { merchant: erasure.merchant_id, erasure: erasure.erasure_id };
    try {
      if (erasure.marks.length === 0) await refuse(world, erasure, 'lost_values', null);
      else await runErasure(world, list.key, erasure);
      log.info(ids, 'looked for what is to be erased');
    } catch (error) {
      // Continue with the other erasures. If the database itself is down, this fails too and the round ends.
      await refuse(world, erasure, 'failed', later(clock.now(), afterFailure));
      log.error({ ...ids, err: error }, 'an erasure failed');
    }
    if (!(await takeLease(sql, leaseName, holder, leaseFor))) return;
  }
}

async function refuse(
  { sql, clock }: Erasing,
  erasure: Erasure,
  problem: Report['problem'] & string,
  nextAt: Date | null,
): Promise<void> {
  const report: Report = { erased: {}, waits: [], kept: [], ...erasure.report, problem };
  await storeReport(sql, erasure, { report, now: clock.now(), isErased: false, nextAt });
}

/** Waiting rows are checked again after this pause; late mails are searched for ever more rarely. */
const whileWaiting = 10 * minute;
const whileWatching = 1 * hour;
const longestPause = 1 * day;
const mostListed = 400;

/** Starts again after a crash and finds the rest. It is done when nothing waits and no late mail is expected. */
async function runErasure(
  world: Pick<World, 'sql' | 'clock' | 'secrets'>,
  key: Buffer,
  erasure: Erasure,
): Promise<Report> {
  const { merchant_id: merchantId, erasure_id: erasureId, asked_at: before, report: last } = erasure;
  const now = world.clock.now();
  const sought: Sought = { merchantId, before, erasureId, seek: soughtBy(world, key, erasure) };
  const traces = await findTraces(world.sql, sought);
  const lastKept = (kind: Kept['what']) =>
    (last.kept ?? []).filter(one => one.what === kind).map(one => one.id);
  const { erased, waits, firstOver } = await eraseTraces(
    world,
    { merchantId, erasureId, key, isHit: hits(sought.seek) },
    traces,
  );
  const isChanged = Object.values(erased).some(count => count > 0);
  const orders = new Set([...traces.order].filter(id => !waits.some(wait => wait.id === id)));
  const archives =
    isChanged || erasure.erased_at === null
      ? await searchArchives(world, { merchantId, orders, seek: sought.seek, before, erases: true })
      : null;
  const places = archives ? await findPlaces(world, sought, waits) : lastKept('place');
  const report: Report = {
    erased: {
      ...(await countErased(world.sql, erasure)),
      events: (last.erased?.['events'] ?? 0) + erased.event,
      notices: (last.erased?.['notices'] ?? 0) + erased.notice,
      archives: (last.erased?.['archives'] ?? 0) + (archives?.found.length ?? 0),
    },
    waits: waits.slice(0, mostListed),
    kept: [
      ...keeping('audit', traces.entriesWithValues),
      ...keeping('order_id', traces.ordersWithValues),
      ...keeping('archive', archives?.kept ?? lastKept('archive')),
      // The id itself is the value, so the report gives only the number of ids.
      ...keeping('spent_id', traces.spentIds.size > 0 ? [String(traces.spentIds.size)] : []),
      ...keeping('place', places),
    ],
  };
  const isOver = waits.length === 0 && now >= erasure.watch_until;
  const age = now.getTime() - later(erasure.watch_until, -watchFor).getTime();
  const pause = Math.max(waits.length > 0 ? whileWaiting : whileWatching, Math.min(age / 4, longestPause));
  // The last run is at the end of the watch, so typed values are kept no longer than promised.
  const left = age < watchFor ? watchFor - age : longestPause;
  const nextAt = isOver ? null : (firstOver ?? later(now, Math.min(pause, left)));
  await storeReport(world.sql, erasure, { report, now, isErased: waits.length === 0, nextAt });
  return report;
}

const keeping = (what: Kept['what'], ids: Iterable<string>): Kept[] =>
  [...ids].slice(0, mostListed).map(id => ({ what, id }));

/** Searches for the typed values, or by the hashes of all values if those are lost or unreadable. */
function soughtBy(
  { secrets }: Pick<World, 'secrets'>,
  key: Buffer,
  { merchant_id, erasure_id, sealed, marks }: Erasure,
): Seek {
  return sealed !== null && secrets.isOpenable(sealed)
    ? { values: JSON.parse(secrets.open(sealed, erasureBinding(merchant_id, erasure_id))) }
    : { hashes: marks, key, merchantId: merchant_id };
}

/** The report names these one by one, or they are packed and are searched by unpacking. */
const apart =
  'audit_log.subject audit_log.details orders.merchant_order_id spent_order_ids.merchant_order_id raw_mails.raw order_archives.csv_gzip';

/** Finds columns that still contain a value, in the whole schema, so that the report misses no forgotten column. */
async function findPlaces(
  { sql }: Pick<World, 'sql'>,
  { merchantId, seek, before }: Sought,
  waits: readonly Wait[],
): Promise<string[]> {
  const found = new Set<string>();
  const isHit = hits(seek);
  const personal = new Map(personalList);
  const tables = await selectPlaces(sql, apart);
  await sql.begin(async tx => {
    for (const { table, columns, texts, is_owned } of tables) {
      const { key, at } = personal.get(table) ?? {};
      const where = `${is_owned ? 'and t.merchant_id = $2' : ''} ${key ? `and (${at} <= $3) is not false and t.${key}::text <> all ($4)` : ''}`;
      const values = [
        needlesOf(seek),
        ...(is_owned ? [merchantId] : []),
        ...(key ? [before, waits.map(({ id }) => id)] : []),
      ];
      for await (const row of readTexts(tx, table, { texts, where, values }))
        for (const [place, text] of row.entries())
          if (text !== null && isHit(text)) found.add(`${table}.${columns[place]}`);
    }
  });
  return [...found];
}

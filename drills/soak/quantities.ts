import { median } from '../../bench/mail/in-turns.ts';
import type { Sample } from './measure.ts';

export const roles = ['web', 'mail', 'receive', 'deliver'] as const;

/** A figure of which none may rise. */
type Quantity = {
  /** Its name in a sample, and the panel of the chart and the line in it that show it. */
  figure: string;
  panel: string;
  line: string;
  /** The most that the last third may have, given the first. */
  allows(first: number): number;
  /** Only where a run is long enough for a young process to have its size. */
  grownUp?: boolean;
};

const orMore = (part: number, least: number) => (first: number) => Math.max(first * part, first + least);
const ofEach = (figure: string, panel: string, allows: Quantity['allows'], grownUp = false): Quantity[] =>
  roles.map(role => ({ figure: `${figure} ${role}`, panel, line: role, allows, grownUp }));
const ofTimes = (name: string, panel: string, floors: [number, number]): Quantity[] => [
  // A median of hundreds hardly moves by itself; a quarter is what a busier neighbour makes of it.
  { figure: `${name} p50`, panel, line: 'p50', allows: orMore(1.25, floors[0]) },
  // The hundredth slowest of a minute is one checkpoint, one vacuum or one collection away from double.
  { figure: `${name} p99`, panel, line: 'p99', allows: orMore(1.5, floors[1]) },
];

export const quantities: Quantity[] = [
  // In an hour the middles of the first and the last third lie 33 minutes apart, 16,000 orders: 10 MiB are 650 bytes an
  // order. V8 and malloc give pages back late, so some MiB up or down mean nothing.
  ...ofEach('memory', 'resident memory, MiB', orMore(1.1, 10), true),
  // The least of six looks a minute is not yet what a full collection leaves: those are minutes apart.
  ...ofEach('heap', 'heap in use, MiB', orMore(1.2, 10), true),
  // The unshared memory of the database's processes: plans and catalogs per connection.
  ...ofEach('backends', 'own memory of database connections, MiB', orMore(1.2, 10), true),
  // Connections of pages are counted on both sides and taken off; what is left is kept-alive lines, some more or less.
  ...ofEach('descriptors', 'open descriptors, without those of pages', first => first + 2),
  // A pool opens one more when a peak is higher than all before it, and keeps it.
  ...ofEach('connections', 'connections to the database', first => first + 2),
  // Autovacuum comes when a fifth of a table is dead, so the figure is a saw between 0 and 0.2 and a bit: a saw whose
  // teeth get longer with the table, and medians that fall anywhere on it.
  {
    figure: 'dead worst',
    panel: 'dead rows per row, large tables',
    line: 'worst',
    allows: first => Math.min(first + 0.2, 0.4),
  },
  { figure: 'dead all', panel: 'dead rows per row, large tables', line: 'all', allows: first => first + 0.1 },
  // Each has its own threshold, some hundreds of rows.
  { figure: 'dead small', panel: 'dead rows, small tables', line: 'all', allows: orMore(1.5, 2_000) },
  // Alerts in progress at that moment, and deliveries that got a 500 and wait for their next try.
  { figure: 'waiting alerts', panel: 'waiting', line: 'alerts', allows: first => first + 5 },
  { figure: 'waiting deliveries', panel: 'waiting', line: 'deliveries', allows: first => first + 8 },
  ...ofTimes('create', 'create, ms', [3, 40]),
  ...ofTimes('status', 'status of a page, ms', [2, 30]),
  ...ofTimes('told', 'mail handed over to webhook received, ms', [60, 600]),
  // Orders of a growing history cost no more each; a tenth of the minute is housekeeping that comes when it comes.
  {
    figure: 'processor',
    panel: 'processor time an order, ms',
    line: 'service and database',
    allows: orMore(1.25, 5),
  },
];

export type Judged = Quantity & { thirds: [number, number, number]; rose: boolean };

/**
 * After the warm-up three thirds. A quantity rises when the median of the last is above what is allowed over the
 * first's and the middle one lies between: a leak goes on and on, while a step that stays is a pool, a cache or a heap
 * that found its size.
 */
export function judge(samples: readonly Sample[], warmUp: number): Judged[] {
  const judged = samples.filter(({ at }) => at > warmUp);
  return quantities.map(quantity => {
    const values = judged.map(({ figures }) => figures.get(quantity.figure) ?? Number.NaN);
    const third = values.length / 3;
    const [first, middle, last] = [0, 1, 2].map(place =>
      median(
        values
          .slice(Math.round(place * third), Math.round((place + 1) * third))
          .filter(value => !Number.isNaN(value)),
      ),
    ) as [number, number, number];
    const rose = last > quantity.allows(first) && middle > first && last > middle;
    return { ...quantity, thirds: [first, middle, last], rose };
  });
}

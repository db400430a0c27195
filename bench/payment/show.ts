import { median } from '../mail/in-turns.ts';
import type { BarePart } from './bare-child.ts';
import type { Cost, Part, Tally } from './tally.ts';

/** How many payments are in progress at once. */
export type Lanes = 1 | 8;
export type Bare = Record<BarePart | 'create', number>;
/** The figures of one payment. */
export type Figures = { ours: Tally; bare: Bare };

export function whole({ ours: { parts, besides } }: Figures): number {
  return besides + Object.values(parts).reduce((sum, part) => sum + costOf(part), 0);
}

function costOf({ service, judges, database }: Cost): number {
  return service + judges + database;
}

export function total(bare: Bare): number {
  return Object.values(bare).reduce((sum, one) => sum + one, 0);
}

export function showParts(lanes: Lanes, figures: readonly Figures[]): void {
  const middle = (read: (one: Figures) => number) => Math.round(median(figures.map(read)));
  const names: Record<Part, string> = {
    create: 'create',
    mails: 'store, claim, judge, confirm',
    deliver: 'deliver',
  };
  console.log(`\n${lanes === 1 ? 'one at a time' : `${lanes} at once`}, µs of processor time a payment`);
  console.table([
    ...(Object.keys(names) as Part[]).map(part => ({
      part: names[part],
      service: middle(one => one.ours.parts[part].service),
      'judging threads': middle(one => one.ours.parts[part].judges),
      database: middle(one => one.ours.parts[part].database),
      'round trips': median(figures.map(one => one.ours.parts[part].trips)).toFixed(2),
    })),
    { part: 'database beside its connections', database: middle(one => one.ours.besides) },
  ]);
  const kinds = new Set(figures.flatMap(one => Object.keys(one.ours.statements)));
  const statements = [...kinds].map(statement => {
    const of = (one: Figures) => one.ours.statements[statement] ?? { calls: 0, took: 0 };
    const calls = median(figures.map(one => of(one).calls)).toFixed(2);
    return { statement, calls, 'µs in the database': middle(one => of(one).took) };
  });
  console.table(statements.filter(({ calls }) => Number(calls) >= 0.05));
}

export function rowsOf(figures: Record<Lanes, Figures[]>): Record<string, string | number>[] {
  const both = (what: string, read: (one: Figures) => number) => ({
    what,
    'one at a time µs': Math.round(median(figures[1].map(read))),
    '8 at once µs': Math.round(median(figures[8].map(read))),
  });
  const parts = (one: Figures) => one.ours.parts;
  const trips = (lanes: Lanes) =>
    median(
      figures[lanes].map(one => Object.values(parts(one)).reduce((sum, part) => sum + part.trips, 0)),
    ).toFixed(1);
  return [
    both('create', one => costOf(parts(one).create)),
    both('store, claim, judge, confirm', one => costOf(parts(one).mails)),
    both('deliver and record', one => costOf(parts(one).deliver)),
    both('a whole payment', whole),
    { what: 'round trips', 'one at a time µs': trips(1), '8 at once µs': trips(8) },
    both('bare: the create through pgbench', one => one.bare.create),
    both('bare: mailauth, strict, on the same mail', one => one.bare.verify),
    both('bare: one insert, one update by key', one => one.bare.rows),
    both('bare: one undici post', one => one.bare.post),
    both('the sum of these', one => total(one.bare)),
  ];
}

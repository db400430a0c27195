import type { Sql } from '../../src/base/database/connect.ts';
import { besidesConnections, type Costing, type Spent, spentBy } from './costs.ts';

/** Microseconds and round trips; of all payments of a run, or of one second in which nothing happens. */
export type Cost = { service: number; judges: number; database: number; trips: number };
export type Part = 'create' | 'mails' | 'deliver';
export type Tally = {
  parts: Record<Part, Cost>;
  besides: number;
  /** The database's statements, by their first words. */
  statements: Record<string, { calls: number; took: number }>;
};

/** Runs some work and answers what it cost each process. */
export async function tally(
  sql: Sql,
  processes: Record<Part, Costing>,
  work: () => Promise<unknown>,
): Promise<Tally> {
  const names = Object.keys(processes) as Part[];
  const look = async () => {
    const sums = {} as Record<Part, Spent>;
    for (const name of names) sums[name] = await spentBy(sql, processes[name]);
    return { sums, besides: await besidesConnections(sql) };
  };
  const before = await look();
  await work();
  const after = await look();
  const statements: Tally['statements'] = {};
  const parts = {} as Tally['parts'];
  for (const name of names) {
    const [was, is] = [before.sums[name], after.sums[name]];
    parts[name] = {
      service: is.service - was.service,
      judges: is.judges - was.judges,
      database: is.database - was.database,
      trips: 0,
    };
    for (const [query, { calls, took }] of is.statements) {
      const old = was.statements.get(query) ?? { calls: 0, took: 0 };
      parts[name].trips += calls - old.calls;
      const known = statements[kindOf(name, query)] ?? { calls: 0, took: 0 };
      statements[kindOf(name, query)] = {
        calls: known.calls + calls - old.calls,
        took: known.took + took - old.took,
      };
    }
  }
  return { parts, besides: after.besides - before.besides, statements };
}

/** Enough of its text to know it by. */
function kindOf(part: Part, query: string): string {
  return `${part}: ${query.replace(/\s+/g, ' ').trim().slice(0, 70)}`;
}

import { type Columns, findColumns } from './find-columns.ts';
import { type Lines, readLines } from './read-lines.ts';
import { readTable } from './read-table.ts';
import { StatementFault, type StatementFaultCode } from './table-limits.ts';

export type Statement = Lines & { titles: string[]; columns: Columns };
/** With the titles where they were found: whoever is asked for the columns must see them. */
export type UnreadStatement = { fault: StatementFaultCode; titles: string[] };

/**
 * A bank's file, CSV or XLSX. `chosen` are the columns that a person named for this bank, perhaps for an older form of
 * its files: where their titles are not in it, they are guessed.
 */
export async function readStatement(
  bytes: Buffer,
  chosen: Columns | null,
): Promise<Statement | UnreadStatement> {
  let titles: string[] = [];
  try {
    const rows = await readTable(bytes);
    const found = (chosen && findColumns(rows, chosen)) ?? findColumns(rows, null);
    titles = named(found?.titles ?? widest(rows));
    if (!found) return { fault: 'no_columns', titles };
    const read = readLines(rows, found);
    if (read.lines.length === 0) return { fault: 'no_credits', titles };
    return { ...read, titles, columns: found.columns };
  } catch (error) {
    if (error instanceof StatementFault) return { fault: error.code, titles };
    throw error;
  }
}

/** Titles to choose from, each once. */
function named(titles: readonly string[]): string[] {
  return [...new Set(titles.filter(title => title !== ''))];
}

/** Where nothing looks like titles, the first row with the most cells is the likeliest. */
function widest(rows: readonly string[][]): string[] {
  const filled = (row: readonly string[]) => row.filter(cell => cell !== '').length;
  return rows.slice(0, 100).reduce<string[]>((best, row) => (filled(row) > filled(best) ? row : best), []);
}

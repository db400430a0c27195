import { type Columns, findColumns } from './find-columns.ts';
import { readCsv } from './read-csv.ts';
import { type Lines, readLines } from './read-lines.ts';
import { readXlsx } from './read-xlsx.ts';
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

/** The rows of a bank's file, whatever it calls itself: its first bytes tell what it is. */
async function readTable(bytes: Buffer): Promise<string[][]> {
  if (bytes.length === 0) throw new StatementFault('empty');
  if (startsWith(bytes, 'PK\x03\x04')) return await readXlsx(bytes);
  // Also an XLSX with a password, which is packed into the same old form.
  if (startsWith(bytes, '\xd0\xcf\x11\xe0')) throw new StatementFault('old_excel');
  if (startsWith(bytes, '%PDF')) throw new StatementFault('pdf');
  const text = decode(bytes);
  // Some banks call a web page .xls.
  if (/^\s*<(?:!doctype|html|\?xml|table|meta|head)\b/i.test(text)) throw new StatementFault('web_page');
  return readCsv(text);
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'));
}

/** UTF-16 says so at its start; what is not UTF-8 is the old code of Windows. Neither has a zero byte in its text. */
function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const encodings =
    mark === 'fffe' ? ['utf-16le'] : mark === 'feff' ? ['utf-16be'] : ['utf-8', 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (text.includes('\0')) break;
      return text;
    } catch {}
  }
  throw new StatementFault('not_text');
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

import { type Columns, findColumns } from './find-columns.ts';
import { type Lines, readLines } from './read-lines.ts';
import { readXlsx } from './read-xlsx.ts';
import {
  longestCell,
  mostColumns,
  mostRows,
  StatementFault,
  type StatementFaultCode,
} from './table-limits.ts';

export type Statement = Lines & { titles: string[]; columns: Columns };
/** Includes the titles if they were found, because the person who is asked for the columns must see them. */
export type UnreadStatement = { fault: StatementFaultCode; titles: string[] };

/**
 * Reads a bank's file, CSV or XLSX. `chosen` are the columns that a person named for this bank. Its files may have
 * changed since, so missing titles are guessed.
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

/** The rows of a bank's file. Its first bytes decide the format, not its name. */
async function readTable(bytes: Buffer): Promise<string[][]> {
  if (bytes.length === 0) throw new StatementFault('empty');
  if (startsWith(bytes, 'PK\x03\x04')) return await readXlsx(bytes);
  // An XLSX with a password is packed into the same old format.
  if (startsWith(bytes, '\xd0\xcf\x11\xe0')) throw new StatementFault('old_excel');
  if (startsWith(bytes, '%PDF')) throw new StatementFault('pdf');
  const text = decode(bytes);
  // Some banks name a web page .xls.
  if (/^\s*<(?:!doctype|html|\?xml|table|meta|head)\b/i.test(text)) throw new StatementFault('web_page');
  return readCsv(text);
}

function startsWith(bytes: Buffer, signature: string): boolean {
  return bytes.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'));
}

/** UTF-16 says so at its start. Text that is not UTF-8 is in Windows' old code. Neither has zero bytes. */
function decode(bytes: Buffer): string {
  const bom = bytes.subarray(0, 2).toString('hex');
  const encodings = bom === 'fffe' ? ['utf-16le'] : bom === 'feff' ? ['utf-16be'] : ['utf-8', 'windows-1252'];
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

/** If nothing looks like titles, the first row with the most cells is the likeliest. */
function widest(rows: readonly string[][]): string[] {
  const filled = (row: readonly string[]) => row.filter(cell => cell !== '').length;
  return rows.slice(0, 100).reduce<string[]>((best, row) => (filled(row) > filled(best) ? row : best), []);
}

const separators = [',', '\t', ';', '|'] as const;

/** The rows of a text with separated cells. Its first lines show the separator. Empty rows are left out. */
function readCsv(text: string): string[][] {
  const separator = findSeparator(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? quoted(text, at, separator) : plain(text, at, separator);
    if (cell.text.length > longestCell) throw new StatementFault('cell_too_long');
    if (row.push(cell.text.trim()) > mostColumns) throw new StatementFault('too_wide');
    at = cell.end;
    if (text[at] === separator) {
      at++;
      if (at < text.length) continue;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (row.some(part => part !== '') && rows.push(row) > mostRows)
      throw new StatementFault('too_many_lines');
    row = [];
  }
  return rows;
}

const linesLookedAt = 50;

function findSeparator(text: string): string {
  const start = text
    .split('\n', linesLookedAt)
    .join('\n')
    .slice(0, linesLookedAt * longestCell);
  const counts = separators.map(separator => start.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))]!;
}

/** Text in quotation marks is literal, and a doubled mark is one. What follows the last mark belongs to the cell. */
function quoted(text: string, from: number, separator: string): { text: string; end: number } {
  let at = from + 1;
  let cell = '';
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote - from > 2 * longestCell)
      throw new StatementFault(quote < 0 ? 'damaged' : 'cell_too_long');
    cell += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') {
      const rest = plain(text, at, separator);
      return { text: cell + rest.text, end: rest.end };
    }
    cell += '"';
    at++;
  }
}

function plain(text: string, from: number, separator: string): { text: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  return { text: text.slice(from, end), end };
}

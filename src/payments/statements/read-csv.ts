import { longestCell, mostColumns, mostRows, StatementFault } from './table-limits.ts';

const separators = [',', '\t', ';', '|'] as const;

/** The rows of a text with separated cells; its first lines tell the separator. Empty rows are left out. */
export function readCsv(text: string): string[][] {
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

/** In quotation marks everything stands for itself, a doubled mark for one. What follows the last one belongs to the cell. */
function quoted(text: string, from: number, separator: string): { text: string; end: number } {
  let at = from + 1;
  let cell = '';
  for (;;) {
    const mark = text.indexOf('"', at);
    if (mark < 0 || mark - from > 2 * longestCell)
      throw new StatementFault(mark < 0 ? 'damaged' : 'cell_too_long');
    cell += text.slice(at, mark);
    at = mark + 1;
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

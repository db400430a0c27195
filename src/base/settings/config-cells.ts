import type { Reader } from './config-values.ts';

/** Business ids have 48 bits, as in tokens. No other number of ours is larger. */
export const idsEnd = 2 ** 48;

/** Maps business ids to databases. A range ends where the next one begins. */
export type CellMap = {
  file: string;
  urls: readonly string[];
  newCell: number;
  ranges: readonly { from: number; cell: number }[];
};

/** Both ends are included. */
export type Range = { from: number; last: number; cell: number };

export function rangesOf({ ranges }: Pick<CellMap, 'ranges'>): Range[] {
  return ranges.map(({ from, cell }, at) => ({ from, last: (ranges[at + 1]?.from ?? idsEnd) - 1, cell }));
}

export function cellOf({ ranges }: Pick<CellMap, 'ranges'>, id: number): number {
  return ranges.findLast(range => range.from <= id)!.cell;
}

export function readCellsFile({ text, file, complain }: Pick<Reader, 'text' | 'file' | 'complain'>) {
  const content = file('CELLS_FILE');
  const map = content && parseCells(`${content}`, problem => complain(`CELLS_FILE: ${problem}`));
  return map && { ...map, file: text('CELLS_FILE')! };
}

type Written = { cells: unknown[]; new: unknown; ranges: { from: number; cell: number }[] };

/** No message quotes the text, because it contains passwords. */
function parseCells(text: string, complain: Reader['complain']): Omit<CellMap, 'file'> | null {
  let problems = 0;
  const report = (problem: string) => {
    problems++;
    complain(problem);
  };
  const written = readShape(text);
  if (!written) {
    report(
      'it must hold JSON such as {"cells": ["postgres://…"], "new": 0, "ranges": [{"from": 0, "cell": 0}]}',
    );
    return null;
  }
  const { cells, new: newCell, ranges } = written;
  if (cells.length === 0) report('"cells" must list the address of at least one database');
  for (const [cell, url] of cells.entries()) {
    if (!isDatabaseUrl(url)) report(`cell ${cell} must look like postgres://user:password@host:5432/name`);
    if (cells.indexOf(url) !== cell) report(`cells ${cells.indexOf(url)} and ${cell} are the same database`);
  }
  const isCell = (cell: unknown) => Number.isInteger(cell) && cells[cell as number] !== undefined;
  if (ranges.length === 0)
    report('"ranges" must say which cell has which ids, such as {"from": 0, "cell": 0}');
  if (ranges.length > 0 && ranges[0]?.from !== 0) report('the first range must begin "from" 0');
  for (const [at, range] of ranges.entries()) {
    const { from, cell } = range ?? {};
    if (!Number.isInteger(from) || from < 0 || from >= idsEnd)
      report(`range ${at} must begin "from" a whole number below 2^48`);
    else if (at > 0 && !(from > (ranges[at - 1]?.from ?? -1)))
      report(`range ${at} must begin above the one before it: no two may overlap`);
    if (!isCell(cell)) report(`range ${at} names a cell that is not there`);
  }
  if (!isCell(newCell)) report('"new" must be the number of the cell in which businesses are opened');
  else if (!ranges.some(range => range?.cell === newCell))
    report(`cell ${newCell} has no range, and new businesses would have no id`);
  return problems > 0 ? null : { urls: cells as string[], newCell: newCell as number, ranges };
}

function readShape(text: string): Written | null {
  try {
    const { cells, new: newCell, ranges } = JSON.parse(text) as Written;
    return { cells: asList(cells), new: newCell, ranges: asList(ranges) };
  } catch {
    return null;
  }
}

function asList<T>(value: T[]): T[] {
  return Array.isArray(value) ? value : [];
}

export function isDatabaseUrl(value: unknown): boolean {
  return typeof value === 'string' && /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '');
}

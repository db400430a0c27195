import type { Row, Template } from '../banks/bank.ts';
import { isMoney } from '../banks/check-template.ts';
import { type Lined, placesOf, type Span, type Split } from './find-splits.ts';

/** A row that differs from the bank's: unknown, missing, repeated, or with another value. */
export type RowDoubt = {
  readonly doubt: string;
  /** All rows are there, but a payer's words above a fact look like a row or could have changed one. */
  readonly isPayers?: true;
  readonly isAboveMoney?: boolean;
};

type Line = { readonly cells: readonly Span[] };
type Found = { readonly row: Row; readonly value: Span };

/**
 * Reads alerts that state one fact per row, below the bank's heading. Each row is there once, none is unknown, and
 * constant values must match. Rows may change places, but no payer's words may come above the money. A name that a
 * bank does not escape can end its cell, add rows and hide the following ones.
 */
export function readRows(template: Template, said: Lined): (Split | RowDoubt)[] {
  const [[heading] = []] = template.body;
  if (heading?.kind !== 'bank' || template.rows === null) return [];
  return placesOf(heading.pattern, said.text).flatMap(match => {
    const end = match.index + match[0].trimEnd().length;
    const below = /^[ .:!]*(?:\n|$)/.exec(said.text.slice(end));
    if (below === null) return [];
    const own = Object.entries(match.indices!.groups ?? {}).filter(([, span]) => span !== undefined);
    const spans = Object.fromEntries(own) as Record<string, Span>;
    return [readBlock(template.rows!, said, { from: match.index, below: end + below[0].length, spans })];
  });
}

/** `isOdd`: a payer's row may contain anything. */
type Heading = { from: number; below: number; spans: Record<string, Span>; isOdd?: boolean };

function readBlock(rows: readonly Row[], said: Lined, heading: Heading): Split | RowDoubt {
  const lines = linesOf(said.cells);
  const first = lines.findIndex(({ cells }) => cells[0]![0] >= heading.below);
  const found: Found[] = [];
  let at = first < 0 ? lines.length : first;
  let to = heading.below;
  for (; at < lines.length; at++) {
    const read = rowAt(rows, said, lines, at);
    if (read === null) {
      const odd = labelOf(said, lines[at]!);
      if (odd !== null || missing(rows, found) !== null) return { doubt: odd ?? missing(rows, found)! };
      break;
    }
    if ('doubt' in read) return read;
    found.push(read);
    at += read.lines - 1;
    to = lines[at]!.cells.at(-1)![1];
  }
  const lost = missing(rows, found);
  if (lost !== null) return { doubt: lost };
  const others = [...lines.keys()].filter(line => line < first || line >= at);
  const apart = others.map(line => rowAt(rows, said, lines, line)).find(read => read !== null);
  if (apart) return 'doubt' in apart ? apart : { doubt: apart.row.label };
  const labels = found.map(({ row }) => row.label);
  const double = labels.find((label, i) => labels.indexOf(label) < i);
  if (double !== undefined) return { doubt: double };
  const odd = oddPayers(rows, said, found);
  const split = valuesOf(said, { ...heading, isOdd: odd !== null }, found, to);
  if (odd === null) return split;
  return odd.isAboveMoney || 'doubt' in split ? odd : { ...split, isOdd: true };
}

/** The payer's row above the money, or above the reference if it contains markup or a row's label. */
function oddPayers(rows: readonly Row[], { text }: Lined, found: readonly Found[]): RowDoubt | null {
  for (const [at, { row, value }] of found.entries()) {
    const below = found.slice(at + 1).flatMap(one => one.row.facts);
    if (!row.isPayers || below.length === 0) continue;
    const said = text.slice(...value);
    const isAboveMoney = below.some(isMoney);
    if (isAboveMoney || /[<>]/.test(said) || rows.some(({ mention }) => mention.test(said)))
      return { doubt: row.label, isPayers: true, isAboveMoney };
  }
  return null;
}

function missing(rows: readonly Row[], found: readonly Found[]): string | null {
  return rows.find(row => row.isRequired && !found.some(one => one.row === row))?.label ?? null;
}

function valuesOf(said: Lined, heading: Heading, found: readonly Found[], to: number): Split | RowDoubt {
  const spans = { ...heading.spans };
  for (const {
    row,
    value: [from, end],
  } of found) {
    const match = row.value.exec(said.text.slice(from, end));
    if (match === null && !(heading.isOdd && row.isPayers && row.facts.length === 0))
      return { doubt: row.label };
    // An empty cell also counts as the payer's, because markup may have ended it.
    if (row.isPayers && (end === from || match === null)) spans[`text ${row.label}`] = [from, end];
    for (const [slot, span] of Object.entries(match?.indices?.groups ?? {}))
      if (span !== undefined)
        spans[row.isFree ? `${slot} ${row.label}` : slot] = [from + span[0], from + span[1]];
  }
  return { from: heading.from, to, spans };
}

/** The row that begins here. Its value is in the next cell, after the colon or in the line below. Null if unknown. */
function rowAt(
  rows: readonly Row[],
  { text }: Lined,
  lines: readonly Line[],
  at: number,
): (Found & { lines: number }) | RowDoubt | null {
  const [first, ...others] = lines[at]!.cells as [Span, ...Span[]];
  const shown = text.slice(...first);
  for (const row of rows) {
    const label = row.pattern.exec(shown)?.[0];
    if (label === undefined) continue;
    const values = others.filter(cell => text.slice(...cell).trim() !== ':');
    const isWhole = label.length === shown.length;
    if (others.length > 0) {
      if (values.length > 1 || !isWhole) return { doubt: row.label };
      return { row, value: values[0] ?? [first[1], first[1]], lines: 1 };
    }
    if (!isWhole) {
      if (label.includes(':')) return { row, value: [first[0] + label.length, first[1]], lines: 1 };
      continue;
    }
    const next = lines[at + 1];
    const isBelow = next?.cells.length === 1 && rowAt(rows, { text, cells: text }, lines, at + 1) === null;
    return isBelow
      ? { row, value: next.cells[0]!, lines: 2 }
      : { row, value: [first[1], first[1]], lines: 1 };
  }
  return null;
}

/** The label of a line that looks like a row; null for other lines, such as a footer or a link. */
function labelOf({ text }: Lined, { cells }: Line): string | null {
  const shown = text.slice(...cells[0]!);
  const label = /^\p{L}[\p{L}\p{N} .,&()'’/#-]{0,39}?(?= ?:|$)/u.exec(shown)?.[0] ?? null;
  if (cells.length > 1) return label;
  return label !== null && /^ ?:(?! ?(?:https?:|www\.))/.test(shown.slice(label.length)) ? label : null;
}

function linesOf(cells: string): Line[] {
  let at = 0;
  return cells.split('\n').map(line => {
    const spans = line.split('\uE000').map((cell): Span => {
      const span: Span = [at, at + cell.length];
      at += cell.length + 1;
      return span;
    });
    return { cells: spans };
  });
}

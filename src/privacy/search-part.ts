import { gunzipSync, gzipSync } from 'node:zlib';
import { csvHeader } from '../orders/history/csv-line.ts';
import { personalNames } from '../orders/optional-fields.ts';
import { hits, type Seek } from './person-values.ts';

const titles = csvHeader.trim().split(',');
/** The cells of a line that are about the customer. */
const personal = ['customer_name', 'customer_email', 'purpose', ...personalNames].map(title =>
  titles.indexOf(title),
);
const createdAt = titles.indexOf('created_at');

/** Larger than any part of a thousand orders. An imported archive may contain anything. */
export const mostPartBytes = 8 * 1024 * 1024;
/** A line is searched in overlapping pieces to limit memory. The overlap is longer than any unencoded value. */
const pieceLength = 65_536;
const overlap = 1_000;

export type Wanted = {
  orders: ReadonlySet<string>;
  seek: Seek;
  before: Date;
  /** Empties the customer's cells; if false, the archive stays as it is. */
  erases: boolean;
};

/** `changed` is the part without the person's cells, or null if nothing changed. */
export type Searched = { found: string[]; kept: string[]; changed: Uint8Array | null };

/** Searches one part of an archive. A hostile part takes seconds, so this runs in a worker thread. */
export function searchPart(csvGzip: Uint8Array, { orders, seek, before, erases }: Wanted): Searched {
  const isHit = hits(seek);
  const lines = splitOutsideQuotes(String(gunzipSync(csvGzip, { maxOutputLength: mostPartBytes })), '\r\n');
  const found: string[] = [];
  const kept: string[] = [];
  let isChanged = false;
  for (const [number, line] of lines.entries()) {
    const cells = splitOutsideQuotes(line, ',');
    const isOld = !(new Date(cells[createdAt] ?? '') > before);
    if (!orders.has(cells[0]!) && !(isOld && isHitIn(line, isHit))) continue;
    const isEmpty = personal.every(at => (cells[at] ?? '') === '');
    const emptied = cells.map((cell, at) => (personal.includes(at) ? '' : cell)).join(',');
    if (isHitIn(emptied, isHit)) kept.push(cells[0]!);
    if (isEmpty) continue;
    found.push(line.trim());
    if (erases) lines[number] = emptied;
    isChanged ||= erases;
  }
  return { found, kept, changed: isChanged ? gzipSync(lines.join('\r\n')) : null };
}

/** Keeps quotation marks, so that the joined pieces are the same text again, even if it is invalid CSV. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  for (const piece of text.split(separator)) {
    parts.push(isQuoted ? parts.pop() + separator + piece : piece);
    if (piece.split('"').length % 2 === 0) isQuoted = !isQuoted;
  }
  return parts;
}

function isHitIn(text: string, isHit: (text: string) => boolean): boolean {
  for (let from = 0; from < text.length; from += pieceLength)
    if (isHit(text.slice(from, from + pieceLength + overlap))) return true;
  return false;
}

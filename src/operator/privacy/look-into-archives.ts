import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { World } from '../../base/world.ts';
import { csvHeader } from '../../orders/history/csv-line.ts';
import { type ArchivePart, replacePart, selectNextPart } from './queries/finding.ts';

const titles = csvHeader.trim().split(',');
/** The cells of a line that tell of a customer. */
const personal = ['bank_reference', 'customer_name', 'customer_email', 'purpose'].map(title =>
  titles.indexOf(title),
);
const createdAt = titles.indexOf('created_at');

/** More than a thousand orders, of which one part is made, can fill; an archive that was imported may hold anything. */
export const mostPartBytes = 8 * 1024 * 1024;
/** Looked at in one go, with a little of what follows: other work has its turn in between. */
const pieceLength = 65_536;
const overlap = 1_000;

type Wanted = {
  merchantId: number;
  orders: ReadonlySet<string>;
  isHit: (line: string) => boolean;
  before: Date;
  /** Empty the cells that tell of the customer; otherwise the archives stay as they are. */
  erases: boolean;
};

/**
 * The lines of the monthly archives about these orders, or in which a value stands; and the orders whose lines hold one
 * still when they are emptied. To be called once the orders
 * themselves are emptied: what is archived from then on has nothing to hide, and what was archived before is here.
 */
export async function lookIntoArchives(
  { sql }: Pick<World, 'sql'>,
  { merchantId, orders, isHit, before, erases }: Wanted,
): Promise<{ found: string[]; kept: string[] }> {
  const found: string[] = [];
  const kept: string[] = [];
  let part: ArchivePart | null = null;
  for (;;) {
    part = await selectNextPart(sql, merchantId, part);
    if (part === null) return { found, kept };
    const csv = String(await promisify(gunzip)(part.csv_gzip, { maxOutputLength: mostPartBytes }));
    const lines = splitOutsideQuotes(csv, '\r\n');
    let isChanged = false;
    for (const [number, line] of lines.entries()) {
      if (number % 1_000 === 0) await setImmediate();
      const cells = splitOutsideQuotes(line, ',');
      const isOld = !(new Date(cells[createdAt] ?? '') > before);
      if (!orders.has(cells[0]!) && !(isOld && (await isHitIn(line, isHit)))) continue;
      const isEmpty = personal.every(at => (cells[at] ?? '') === '');
      const emptied = cells.map((cell, at) => (personal.includes(at) ? '' : cell)).join(',');
      if (await isHitIn(emptied, isHit)) kept.push(cells[0]!);
      if (!isEmpty) found.push(line.trim());
      if (!erases || isEmpty) continue;
      isChanged = true;
      lines[number] = emptied;
    }
    if (isChanged)
      await replacePart(sql, merchantId, { ...part, csv_gzip: await promisify(gzip)(lines.join('\r\n')) });
  }
}

/** As it is written, quotation marks and all. Joined again it is the same text, also where it is no valid CSV. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  for (const piece of text.split(separator)) {
    parts.push(isQuoted ? parts.pop() + separator + piece : piece);
    if (piece.split('"').length % 2 === 0) isQuoted = !isQuoted;
  }
  return parts;
}

async function isHitIn(text: string, isHit: Wanted['isHit']): Promise<boolean> {
  for (let from = 0; from < text.length; from += pieceLength) {
    if (isHit(text.slice(from, from + pieceLength + overlap))) return true;
    await setImmediate();
  }
  return false;
}

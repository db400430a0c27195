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
    const csv = String(await promisify(gunzip)(part.csv_gzip));
    let isChanged = false;
    const lines = linesOf(csv).map(line => {
      const cells = cellsOf(line);
      const isOld = !(new Date(cells[createdAt] ?? '') > before);
      if (!orders.has(cells[0]!) && !(isOld && isHit(line))) return line;
      const isEmpty = personal.every(at => (cells[at] ?? '') === '');
      const emptied = `${cells.map((cell, at) => (personal.includes(at) ? '' : cell)).join(',')}\r\n`;
      if (isHit(emptied)) kept.push(cells[0]!);
      if (!isEmpty) found.push(line.trim());
      if (!erases || isEmpty) return line;
      isChanged = true;
      return emptied;
    });
    if (isChanged)
      await replacePart(sql, merchantId, { ...part, csv_gzip: await promisify(gzip)(lines.join('')) });
  }
}

/** A cell in quotation marks may hold line ends. */
function linesOf(csv: string): string[] {
  return csv.match(/(?:"(?:[^"]|"")*"|[^"\r\n])+\r\n/g) ?? [];
}

/** As they are written, quotation marks and all. */
function cellsOf(line: string): string[] {
  return [...line.replace(/\r\n$/, '').matchAll(/(?:^|,)((?:"(?:[^"]|"")*"|[^,"])*)/g)].map(
    ([, cell]) => cell!,
  );
}

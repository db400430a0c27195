import { createHash, type Hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Transaction } from '../../base/database/connect.ts';
import { isAmong } from '../../base/secrets.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { insertLines, selectColumns } from './queries.ts';
import { type Way, ways, whyLeftOut } from './tables.ts';
import { BrokenArchive, type Entry } from './tar.ts';
import { archivePurpose, type Head, type Written } from './write-business.ts';

export type Row = Record<string, unknown>;

type Reading = {
  head: Head;
  entries: AsyncGenerator<Entry>;
  /** What becomes of the rows of these two here. */
  change(table: string, row: Row): Promise<Row>;
};

const changed = ['merchants', 'users'];

/** Writes the rows as they come, and compares at the end: what was cut off, added or damaged ends the transaction. */
export async function readTables(
  tx: Transaction,
  { secrets }: Pick<World, 'secrets'>,
  { head, entries, change }: Reading,
): Promise<Written> {
  const found = new Map<string, { rows: number; hash: Hash }>();
  let piece: Piece | null = null;
  const finish = async () => {
    if (piece) await storePiece(tx, head.business, piece);
    piece = null;
  };
  for await (const { name, content } of entries) {
    if (name === 'end.json') {
      await finish();
      return compare(secrets, head, found, content);
    }
    const table = name.split('/')[0] as keyof typeof ways;
    const way: Way | undefined = Object.hasOwn(ways, table) ? ways[table] : undefined;
    if (!way || whyLeftOut(way, head.kind) !== null) throw new BrokenArchive(`${name} does not belong in it`);
    const counted = found.get(table) ?? { rows: 0, hash: createHash('sha256') };
    found.set(table, counted);
    counted.hash.update(content);
    if (!name.endsWith('.jsonl')) {
      const open: Piece | null = piece;
      if (open?.table !== table) throw new BrokenArchive(`${name} belongs to no row`);
      open.bytes.push(name.endsWith('.eml') ? deflateSync(content, { level: 3 }) : content);
      continue;
    }
    await finish();
    let lines = content.toString().trimEnd().split('\n');
    counted.rows += lines.length;
    if (changed.includes(table))
      lines = await Promise.all(
        lines.map(async line => JSON.stringify(await change(table, JSON.parse(line)))),
      );
    piece = { table, lines, bytes: [], column: way.bytes?.column };
  }
  throw new BrokenArchive('it ends in the middle: it was cut off');
}

/** Rows, and the files behind them where the table has such. */
type Piece = { table: string; lines: string[]; bytes: Buffer[]; column: string | undefined };

async function storePiece(tx: Transaction, merchantId: number, piece: Piece): Promise<void> {
  const { table, column, bytes } = piece;
  let { lines } = piece;
  if (column !== undefined) {
    if (bytes.length !== lines.length) throw new BrokenArchive(`files of ${table} are missing`);
    lines = lines.map((line, place) =>
      JSON.stringify({ ...JSON.parse(line), [column]: `\\x${bytes[place]!.toString('hex')}` }),
    );
  }
  const columns = Object.keys(JSON.parse(lines[0]!));
  const known = await selectColumns(tx, table);
  const strange = columns.filter(name => !known.includes(name));
  // Only names that this database knows reach a statement.
  if (strange.length > 0)
    throw new StartError(`the archive's ${table} has ${strange.join(', ')}, unknown here`);
  // Not taken apart: a number may have more digits than ours keep.
  const json = `[${lines.join(',')}]`;
  if ((await insertLines(tx, merchantId, { table, columns, json })) !== lines.length)
    throw new BrokenArchive('it holds rows of another business');
}

function compare(
  secrets: World['secrets'],
  head: Head,
  found: Map<string, { rows: number; hash: Hash }>,
  content: Buffer,
): Written {
  const { written, seal = '' } = JSON.parse(content.toString()) as { written: Written; seal?: string };
  for (const [table, { rows, sha256 }] of Object.entries(written)) {
    const { rows: come, hash } = found.get(table) ?? { rows: 0, hash: createHash('sha256') };
    if (come !== rows || hash.digest('hex') !== sha256)
      throw new BrokenArchive(`its ${table} are not as they were written: ${come} of ${rows} rows`);
    found.delete(table);
  }
  if (found.size > 0) throw new BrokenArchive(`its ${[...found.keys()].join(', ')} were added later`);
  const signatures = secrets.signatures(archivePurpose, JSON.stringify({ head, written }));
  if (head.kind === 'inside' && !isAmong(signatures, Buffer.from(seal, 'hex')))
    throw new StartError(
      'the archive was written with another SECRET_KEY, or changed: its secrets cannot be read',
    );
  return written;
}

import { createHash, type Hash } from 'node:crypto';
import { deflateSync, gunzipSync, unzipSync } from 'node:zlib';
import { mostMailBytes } from '../../alerts/mail/limits.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { shownName } from '../../base/read-name.ts';
import { isAmong } from '../../base/secrets.ts';
import { StartError } from '../../base/start-error.ts';
import { BrokenArchive, type Entry, mostEntry } from '../../base/tar.ts';
import type { World } from '../../base/world.ts';
import { mostPartBytes } from '../../privacy/search-part.ts';
import { type Columns, insertLines } from './queries.ts';
import { faultOfFile } from './staging-schema.ts';
import { columnsLeftOut, type Way, ways, whyLeftOut } from './tables.ts';
import { archivePurpose, type Head, rowsInAPiece, type Written } from './write-merchant.ts';

export type Row = Record<string, unknown>;

/** `erasure_key` is sealed, and is sent only within one installation. */
export type End = { written: Written; erasure_key?: string | undefined };

type Reading = {
  head: Head;
  entries: AsyncGenerator<Entry>;
  columns: Columns;
  /** Changes the rows that must differ in this installation. */
  change(table: string, row: Row): Promise<Row>;
};

const changed = ['merchants', 'users'];

/** Writes rows as they arrive. If the archive was cut, extended or damaged, the transaction rolls back. */
export async function readTables(
  tx: Transaction,
  { secrets }: Pick<World, 'secrets'>,
  { head, entries, columns: known, change }: Reading,
): Promise<End> {
  const found = new Map<string, { rows: number; hash: Hash }>();
  let piece: Piece | null = null;
  const finish = async () => {
    if (piece) await storePiece(tx, head, known, piece);
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
      const bytes = asStored(name, content, way.bytes?.file === 'csv.gz');
      open.size += bytes.length;
      if (open.bytes.push(bytes) > open.lines.length || open.size > mostEntry)
        throw new BrokenArchive(`${name} is one too many for its rows`);
      continue;
    }
    await finish();
    let lines = String(content)
      .trimEnd()
      .split('\n', rowsInAPiece + 1);
    if (lines.length > rowsInAPiece) throw new BrokenArchive(`${name} has more than ${rowsInAPiece} rows`);
    counted.rows += lines.length;
    let rows = lines.map(readJson);
    const names = new Set(Object.keys(rows[0]!));
    const areAlike = rows.every(row => {
      const theirs = Object.keys(row);
      return theirs.length === names.size && theirs.every(name => names.has(name));
    });
    if (!areAlike || !names.has('merchant_id'))
      throw new BrokenArchive(`rows of ${name} have unlike columns`);
    if (head.kind === 'leaving' && way.skipped) continue;
    const kept = columnsLeftOut(way, head.kind).filter(column => names.has(column));
    if (kept.length > 0) throw new BrokenArchive(`${name} has ${kept.join(', ')}, which never leaves`);
    const strange = ['name', 'payee_name', 'title'].find(column =>
      rows.some(row => typeof row[column] === 'string' && hasUnseen(row[column])),
    );
    if (strange && head.kind === 'leaving')
      throw new BrokenArchive(`the archive has a strange ${table}.${strange}`);
    if (changed.includes(table)) {
      rows = await Promise.all(rows.map(row => change(table, row)));
      lines = rows.map(row => JSON.stringify(row));
    }
    piece = { table, way, lines, columns: Object.keys(rows[0]!), bytes: [], size: 0 };
  }
  throw new BrokenArchive('it ends in the middle: it was cut off');
}

type Piece = { table: string; way: Way; lines: string[]; columns: string[]; bytes: Buffer[]; size: number };

async function storePiece(
  tx: Transaction,
  { business, kind }: Head,
  known: Columns,
  piece: Piece,
): Promise<void> {
  const { table, way, bytes } = piece;
  let { lines, columns } = piece;
  const column = way.bytes?.column;
  if (column !== undefined) {
    if (bytes.length !== lines.length) throw new BrokenArchive(`files of ${table} are missing`);
    lines = lines.map((line, place) =>
      JSON.stringify({ ...JSON.parse(line), [column]: `\\x${bytes[place]!.toString('hex')}` }),
    );
    columns = [...new Set([...columns, column])];
  }
  const strange = columns.filter(name => !known.get(table)!.has(name));
  // Only column names that this database knows may enter a statement.
  if (strange.length > 0)
    throw new StartError(`the archive's ${table} has ${strange.join(', ')}, unknown here`);
  // The JSON is passed on unparsed, because JavaScript numbers have too few digits.
  const json = `[${lines.join(',')}]`;
  const where = kind === 'leaving' ? way.leavesWhere : undefined;
  const stored = insertLines(tx, business, { table, columns, json, where });
  if ((await stored.catch(error => Promise.reject(faultOfFile(error, table)))) === lines.length) return;
  const far = /"merchant_id":\s*(\d{16,})/.exec(json)?.[1];
  throw new BrokenArchive(
    far
      ? `the archive has an implausibly large ${table}.merchant_id (${far})`
      : `its ${table} hold rows of another business, or such as never leave`,
  );
}

/** The leading letter keeps names without letters, such as "***", from being refused. */
function hasUnseen(name: string): boolean {
  return shownName(`a${name}`) !== `a${name}`;
}

/** Refuses a file that unpacks to more than this program stores itself, because later readers have that limit too. */
function asStored(name: string, content: Buffer, isPart: boolean): Buffer {
  const tooLarge = new BrokenArchive(`${name} is larger than anything that is stored here`);
  const most = isPart ? mostPartBytes : mostMailBytes;
  if (content.length > most) throw tooLarge;
  if (!isPart && name.endsWith('.eml')) return deflateSync(content, { level: 3 });
  try {
    (isPart ? gunzipSync : unzipSync)(content, { maxOutputLength: most });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge;
    if (isPart) throw new BrokenArchive(`${name} cannot be unpacked`);
  }
  return content;
}

export function readJson(text: Buffer | string): Row {
  try {
    const value = JSON.parse(String(text));
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {}
  throw new BrokenArchive('it is not an archive of a business, or it was damaged');
}

function compare(
  secrets: World['secrets'],
  head: Head,
  found: Map<string, { rows: number; hash: Hash }>,
  content: Buffer,
): End {
  const { written, erasure_key, seal = '' } = readJson(content) as End & { seal?: string };
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  if (!isObject(written) || !Object.values(written).every(isObject) || typeof seal !== 'string')
    throw new BrokenArchive('its end is not one that this program writes');
  for (const [table, { rows, sha256 }] of Object.entries(written)) {
    const { rows: come, hash } = found.get(table) ?? { rows: 0, hash: createHash('sha256') };
    if (come !== rows || hash.digest('hex') !== sha256)
      throw new BrokenArchive(`its ${table} are not as they were written: ${come} of ${rows} rows`);
    found.delete(table);
  }
  if (found.size > 0) throw new BrokenArchive(`its ${[...found.keys()].join(', ')} were added later`);
  const signatures = secrets.signatures(archivePurpose, JSON.stringify({ head, written, erasure_key }));
  if (head.kind === 'inside' && !isAmong(signatures, Buffer.from(seal, 'hex')))
    throw new StartError(
      'the archive was written with another SECRET_KEY, or changed: its secrets cannot be read',
    );
  return { written, erasure_key };
}

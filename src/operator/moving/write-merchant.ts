import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { mostMailBytes } from '../../alerts/mail/limits.ts';
import type { Transaction } from '../../base/database/connect.ts';
import { StartError } from '../../base/start-error.ts';
import { tarEnd, tarEntry } from '../../base/tar.ts';
import { version } from '../../base/version.ts';
import type { World } from '../../base/world.ts';
import { tablesOfAMerchant } from '../../business/accounts/queries/merchants.ts';
import { takenBack } from './pause-merchant.ts';
import {
  type Line,
  lockFile,
  newestMigration,
  selectErasureKey,
  selectHere,
  selectKey,
  selectPiece,
} from './queries.ts';
import { columnsLeftOut, type Kind, type Way, ways, whyLeftOut } from './tables.ts';

/** The archive's format number (docs/moving.md). Raise it if an older program would misread a new archive. */
export const format = 1;

export type Head = {
  format: number;
  kind: Kind;
  /** The program's version, and the database's newest migration. */
  version: string;
  schema: string;
  business: number;
  name: string;
  written_at: string;
  left_out: Record<string, string>;
};

/** `since` is the moment from which the business was paused, as pauseMerchant returns it. */
export type Leaving = { merchantId: number; name: string; kind: Kind; since: Date };

export type Written = Record<string, { rows: number; sha256: string }>;

/** Binds an archive with sealed secrets to its installation. */
export const archivePurpose = 'business archive';

/** Parents come before their children. */
export const tablesInOrder = ['merchants', ...tablesOfAMerchant.toReversed(), 'counted_signatures'].filter(
  (table, place, all) => all.indexOf(table) === place,
) as (keyof typeof ways)[];

/** Only one archive of a business is written at a time, because a reader holds a connection. */
export class AlreadyWriting extends StartError {}

export const rowsInAPiece = 1_000;

/** Writes a tar archive of JSON lines, in one snapshot. One piece is in memory; `write` returns when it takes more. */
export async function writeMerchant(
  { sql, secrets, clock }: Pick<World, 'sql' | 'secrets' | 'clock'>,
  { merchantId, name, kind, since }: Leaving,
  write: (bytes: Buffer) => Promise<void>,
): Promise<Written> {
  const now = clock.now();
  const put = async (entry: string, content: Buffer) => {
    await write(tarEntry({ name: entry, content }, now));
  };
  return await sql.begin(
    async tx => {
      await tx.unsafe(
        `set transaction isolation level repeatable read, read only;
         set local idle_in_transaction_session_timeout = '10min'`,
      );
      if (!(await lockFile(tx, merchantId)))
        throw new AlreadyWriting(`the file of business ${merchantId} is already being written`);
      if ((await selectHere(tx, merchantId))?.moved_at?.getTime() !== since.getTime())
        throw new StartError(takenBack);
      const schema = await newestMigration(tx);
      const left_out = Object.fromEntries(
        Object.entries(ways).flatMap(([table, way]) => {
          const why = whyLeftOut(way, kind);
          return why === null ? [] : [[table, why]];
        }),
      );
      const written_at = now.toISOString();
      const head: Head = { format, kind, version, schema, business: merchantId, name, written_at, left_out };
      await put('milaan.json', json(head));
      const written: Written = {};
      for (const table of tablesInOrder) {
        if (whyLeftOut(ways[table], kind) === null)
          written[table] = await writeTable(tx, { table, merchantId, kind }, put);
      }
      // Only the same SECRET_KEY can open it.
      const erasure_key = kind === 'inside' ? await selectErasureKey(tx) : undefined;
      const counts = JSON.stringify({ head, written, erasure_key });
      const seal = kind === 'inside' ? secrets.sign(archivePurpose, counts).toString('hex') : undefined;
      await put('end.json', json({ written, erasure_key, seal }));
      await write(tarEnd);
      return written;
    },
    { patient: true },
  );
}

async function writeTable(
  tx: Transaction,
  { table, merchantId, kind }: { table: keyof typeof ways; merchantId: number; kind: Kind },
  put: (entry: string, content: Buffer) => Promise<void>,
): Promise<Written[string]> {
  const way: Way = ways[table];
  const key = await selectKey(tx, table);
  const hash = createHash('sha256');
  const limit = way.piece ?? rowsInAPiece;
  const without = columnsLeftOut(way, kind);
  const where = kind === 'leaving' ? way.leavesWhere : undefined;
  let [rows, pieces] = [0, 0];
  const add = async (entry: string, content: Buffer) => {
    hash.update(content);
    await put(`${table}/${entry}`, content);
  };
  for (let after: string[] | null = null; ; ) {
    const asked = { table, key, after, without, where, bytes: way.bytes?.column, limit };
    const lines: Line[] = await selectPiece(tx, merchantId, asked);
    if (lines.length === 0) break;
    const text = lines.map(({ line }) => `${line}\n`).join('');
    await add(`${String(++pieces).padStart(6, '0')}.jsonl`, Buffer.from(text));
    for (const line of lines)
      if (way.bytes && line.bytes) await add(...asFile(way.bytes, line.key, line.bytes));
    rows += lines.length;
    after = lines.at(-1)!.key;
    if (lines.length < limit || key.length === 0) break;
  }
  return { rows, sha256: hash.digest('hex') };
}

/** Writes a mail as its bank sent it, or as stored if it cannot be unpacked. Names may repeat, in the rows' order. */
function asFile({ file }: NonNullable<Way['bytes']>, key: string[], stored: Buffer): [string, Buffer] {
  const name = key
    .slice(0, 2)
    .map(part => part.replaceAll(/\W+/g, '').slice(0, 44))
    .join('-');
  if (file !== 'eml') return [`${name}.${file}`, stored];
  try {
    return [`${name}.eml`, inflateSync(stored, { maxOutputLength: mostMailBytes })];
  } catch {
    return [`${name}.bin`, stored];
  }
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

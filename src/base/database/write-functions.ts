import { createHash } from 'node:crypto';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import { hasTable } from './applied-migrations.ts';
import type { Queryable, Transaction } from './connect.ts';
import { type FunctionFile, readFunctions } from './migration-files.ts';
import { isOlder } from './program-name.ts';

/** PostgreSQL's invalid_function_definition: another return type or other parameter names. */
const wrongSignature = '42P13';

type Unwritten = { files: FunctionFile[]; checksum: string };

/** Returns this release's functions if they must be written; null if the database has these or a newer release's. */
export async function findUnwritten(sql: Queryable, folder: URL): Promise<Unwritten | null> {
  const files = readFunctions(folder);
  if (files.length === 0) return null;
  const checksum = createHash('sha256').update(JSON.stringify(files)).digest('hex');
  if (!(await hasTable(sql, 'written_functions'))) return { files, checksum };
  const [row] = await sql<
    { version: string; checksum: string }[]
  >`select version, checksum from written_functions`;
  if (!row) return { files, checksum };
  // A restarting older process must not write its old functions back, because newer processes need the new ones.
  if (isOlder(version, row.version)) return null;
  return row.version === version && row.checksum === checksum ? null : { files, checksum };
}

/** Writes all functions in name order; the caller's transaction makes it all or none. */
export async function writeFunctions(tx: Transaction, { files, checksum }: Unwritten): Promise<void> {
  for (const { name, text } of files) {
    await tx.unsafe(text).catch(error => {
      if (error.code !== wrongSignature) throw error;
      throw new StartError(
        `migrations/functions/${name} cannot replace what is in the database (${error.message}): no function was written, but the migrations stay; use the previous release if it may run beside them, else restore the backup`,
      );
    });
  }
  await tx`
    insert into written_functions (version, checksum, written_at) values (${version}, ${checksum}, now())
    on conflict (only_row) do update
      set version = excluded.version, checksum = excluded.checksum, written_at = excluded.written_at`;
}

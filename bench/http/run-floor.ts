import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from '../../src/base/database/connect.ts';

const clients = 16;
const threads = 2;

/** Rows a second that pgbench inserts into a table of one narrow row and its primary key, each durable by itself. */
export async function runFloor(
  { sql, databaseUrl }: { sql: Sql; databaseUrl: string },
  seconds: number,
): Promise<{ perSecond: number; answers: number }> {
  await sql.unsafe(`
    create schema if not exists floor;
    create table if not exists floor.rows (id bigint generated always as identity primary key, amount bigint not null)`);
  const folder = mkdtempSync(join(tmpdir(), 'milaan-bench-floor-'));
  try {
    const file = join(folder, 'insert.sql');
    writeFileSync(
      file,
      '\\set amount random(1, 100000)\ninsert into floor.rows (amount) values (:amount);\n',
    );
    const { stdout } = await promisify(execFile)('pgbench', [
      ...['-n', '-M', 'prepared', '-c', String(clients), '-j', String(threads), '-T', String(seconds)],
      ...['-f', file, databaseUrl],
    ]);
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    if (!(perSecond > 0)) throw new Error(`pgbench failed:\n${stdout}`);
    return { perSecond, answers: Number(/actually processed: (\d+)/.exec(stdout)?.[1]) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

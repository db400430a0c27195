import { randomBytes } from 'node:crypto';
import { connect, type Sql } from '../../src/base/database/connect.ts';
import { startEmbedded } from '../../src/base/database/embedded.ts';
import { newDataDir, removeDataDir, startReady } from '../../test/support/program.ts';

/** The product as in production, in its own process, with its own PostgreSQL. */
export type Service = {
  url: string;
  databaseUrl: string;
  sql: Sql;
  /** The key of its SECRET_KEY. */
  secretKey: Buffer;
  pid: number;
  stop(): Promise<void>;
};

/** Requests per minute. The limits are checked but never reached. */
const rateLimits = 'key=100000000,address=100000000';
const stopLimit = 15_000;

/** MILAAN_BENCH_NODE may contain further Node options, such as --cpu-prof. */
export async function startService(): Promise<Service> {
  const dataDir = newDataDir();
  const database = await startEmbedded(dataDir, () => {});
  const sql = connect(database.url, { most: 4, statementTimeout: 600_000 });
  const secretKey = randomBytes(32);
  try {
    await checkDurable(sql);
    const program = await startReady(dataDir, {
      args: ['web'],
      env: {
        PUBLIC_URL: 'https://pay.example.in',
        HOST: '127.0.0.1',
        DATABASE_URL: database.url,
        SECRET_KEY: secretKey.toString('hex'),
        RATE_LIMITS: rateLimits,
        ...(process.env['MILAAN_BENCH_NODE'] && { NODE_OPTIONS: process.env['MILAAN_BENCH_NODE'] }),
      },
    });
    const stop = once(async () => {
      program.child.kill('SIGTERM');
      const timer = setTimeout(() => program.child.kill('SIGKILL'), stopLimit);
      await program.ended;
      clearTimeout(timer);
      await sql.end();
      await database.stop();
      removeDataDir(dataDir);
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void stop().finally(() => process.exit(1)));
    return { url: program.url, databaseUrl: database.url, sql, secretKey, pid: program.child.pid!, stop };
  } catch (error) {
    await sql.end();
    await database.stop();
    removeDataDir(dataDir);
    throw error;
  }
}

/** Refuses a database that does not wait for its disk, because its figures mean nothing. */
async function checkDurable(sql: Sql): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const [row] = await sql`select current_setting(${setting}) as value`;
    if (row?.['value'] !== 'on') throw new Error(`${setting} is ${row?.['value']}`);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | null = null;
  return () => {
    result ??= work();
    return result;
  };
}

import { randomUUID } from 'node:crypto';
import { connect, type Pooling, type Sql } from './connect.ts';
import { withDeadline } from './with-deadline.ts';

/** A busy pool can hide itself for a round. */
const rounds = 5;

/** Finds out by trying what stands between us and the server, because a pooler does not say so. */
export async function detectPooling(url: string): Promise<Pooling> {
  // As carefully as if there were a pooler: nothing is left on connections that may be everybody's.
  const open = () => connect(url, { most: 1, pooling: 'by transaction' });
  const [one, other] = [open(), open()];
  try {
    if (!(await isByTransaction(one, other))) return 'by session';
    return (await takesStatementsAlong(url, other)) ? 'by transaction, prepared' : 'by transaction';
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

/**
 * Two connections of ours are served by one process of the server, or one of ours by several. Without a pooler, and
 * in session mode, each has its own for as long as it stands.
 */
async function isByTransaction(one: Sql, other: Sql): Promise<boolean> {
  const process = async (sql: Sql) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  for (let round = 0; round < rounds; round++) {
    const first = await process(one);
    if (first === (await process(other))) return true;
    // Where the pooler takes its connections in turn, these two are the next ones.
    if (first !== (await process(one)) || first !== (await process(one))) return true;
  }
  return false;
}

/**
 * A statement is prepared, then its connection of the server is kept busy, and the statement is used again: does it
 * run in another process of the server? Its text is new each time, so that nobody can have prepared it there before.
 */
async function takesStatementsAlong(url: string, other: Sql): Promise<boolean> {
  const sql = connect(url, { most: 1, pooling: 'by transaction, prepared' });
  const once = `select pg_backend_pid() as pid, $1::int as round -- ${randomUUID()}`;
  const process = async (round: number) => (await sql.unsafe(once, [round]))[0]?.['pid'];
  try {
    for (let round = 0; round < rounds; round++) {
      const first = await process(round);
      const second = await other.begin(async tx => {
        await tx`select 1`;
        return await withDeadline(process(round));
      });
      if (first !== second) return true;
    }
  } catch {
    // Unknown there, or the pool is so small that there is no other connection.
  } finally {
    await sql.end();
  }
  return false;
}

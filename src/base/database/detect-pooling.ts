import { randomUUID } from 'node:crypto';
import { connect, type Pooling, type Sql } from './connect.ts';
import { withDeadline } from './with-deadline.ts';

/** A busy pooler can look like none for a round. */
const rounds = 5;

/** Tests whether a pooler is between us and the server, because poolers do not say so. */
export async function detectPooling(url: string): Promise<Pooling> {
  // Assume a pooler for now: leave nothing on connections that others may get.
  const open = () => connect(url, { most: 1, pooling: 'by transaction' });
  const [one, other] = [open(), open()];
  try {
    if (!(await isByTransaction(one, other))) return 'by session';
    return (await takesStatementsAlong(url, other)) ? 'by transaction, prepared' : 'by transaction';
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

/** Whether two of our connections share a server process, or one uses several. Neither happens without a pooler. */
async function isByTransaction(one: Sql, other: Sql): Promise<boolean> {
  const process = async (sql: Sql) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  for (let round = 0; round < rounds; round++) {
    const first = await process(one);
    if (first === (await process(other))) return true;
    // A pooler that takes connections in turn changes the process here.
    if (first !== (await process(one)) || first !== (await process(one))) return true;
  }
  return false;
}

/** Prepares a statement, and uses it on another server process. Nobody can have prepared a new text there before. */
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
    // The statement is unknown there, or the pool is too small to have another connection.
  } finally {
    await sql.end();
  }
  return false;
}

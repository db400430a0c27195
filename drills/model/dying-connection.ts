import type { Sql, Transaction } from '../../src/base/database/connect.ts';
import { Query } from '../../src/base/database/query.ts';

/** Where the program dies: before a statement of its transaction (from 0), before its commit, or right after it. */
export type DeathPoint = number | 'before commit' | 'after commit';

/**
 * A database whose connection really dies, at the told point of the next transaction: its backend is terminated, and
 * what the transaction did is gone with it.
 */
export function dyingConnection(sql: Sql, point: DeathPoint): Sql {
  const kill = async (pid: number) => void (await sql`select pg_terminate_backend(${pid}, 5000)`);
  const begin = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const result = await sql.begin(async tx => {
      const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      let sent = 0;
      const counting = new Proxy(tx, {
        apply(target, self, args) {
          const query: unknown = Reflect.apply(target, self, args);
          if (!(query instanceof Query)) return query;
          const then = query.then.bind(query);
          // A fragment is never awaited; only what is sent is.
          // biome-ignore lint/suspicious/noThenProperty: dies before what is awaited
          query.then = ((...handlers: Parameters<typeof then>) =>
            sent++ === point
              ? kill(backend!.pid).then(() => then(...handlers))
              : then(...handlers)) as typeof query.then;
          return query;
        },
      });
      const done = await work(counting);
      if (point === 'before commit') await kill(backend!.pid);
      return done;
    });
    if (point === 'after commit') throw new Error('the program died with its answer');
    return result;
  };
  return Object.assign(((...args: Parameters<Sql>) => sql(...args)) as Sql, sql, { begin });
}

import type { Sql, Transaction } from '../../../src/base/database/connect.ts';
import { Query } from '../../../src/base/database/query.ts';

/** The moment of death: before a statement of the transaction (from 0), before its commit, or right after it. */
export type DeathPoint = number | 'before commit' | 'after commit';

/**
 * A database whose connection really dies at `point` in the next transaction: its backend is terminated, and
 * what the transaction did is gone with it. A payment that is made at once is a transaction of one statement, after the
 * look before it; statements are counted over both.
 */
export function dyingConnection(sql: Sql, point: DeathPoint): Sql {
  const kill = async (pid: number) => void (await sql`select pg_terminate_backend(${pid}, 5000)`);
  const pidOf = async (tx: Transaction) =>
    (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid;
  const died = () => new Error('the program died with its answer');
  let sent = 0;
  const begin = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const result = await sql.begin(async tx => {
      const pid = await pidOf(tx);
      const counting = new Proxy(tx, {
        apply: (target, self, args) =>
          instead(Reflect.apply(target, self, args), async go => {
            if (sent++ === point) await kill(pid);
            return await go();
          }),
      });
      const done = await work(counting);
      if (point === 'before commit') await kill(pid);
      return done;
    });
    if (point === 'after commit') throw died();
    return result;
  };
  const onPool = (...args: Parameters<Sql>) =>
    instead(sql(...args), async (go, query) => {
      if (sent++ === point) throw new Error('the program died');
      if (!query.template.strings.join('').includes('pay_at_once')) return await go();
      if (point === 'before commit')
        return await sql.begin(async tx => {
          const pid = await pidOf(tx);
          await tx(query.template.strings as never, ...query.template.values);
          return await kill(pid);
        });
      const rows = await go();
      if (point === 'after commit' && rows[0]?.['is_paid']) throw died();
      return rows;
    });
  return Object.assign(onPool as Sql, sql, { begin });
}

type Rows = Record<string, unknown>[];

/** Does this when the query is sent. A fragment is never awaited; only what is sent is. */
export function instead<T>(
  query: T,
  act: (go: () => Promise<Rows>, query: Query<Rows>) => Promise<unknown>,
): T {
  if (!(query instanceof Query)) return query;
  const then = query.then.bind(query);
  // biome-ignore lint/suspicious/noThenProperty: dies before what is awaited
  query.then = ((onDone: never, onFailed: never) =>
    act(() => new Promise((resolve, reject) => void then(resolve, reject)), query).then(
      onDone,
      onFailed,
    )) as typeof query.then;
  return query;
}

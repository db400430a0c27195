import type { Sql, Transaction } from '../database/connect.ts';
import type { World } from '../world.ts';

/** The world as seen inside a transaction: a verb that begins one of its own joins this one. */
export function within(world: World, tx: Transaction): World {
  const ask = (...parts: Parameters<typeof tx>) => tx(...parts);
  const sql = Object.assign(ask, tx, { begin: <T>(work: (tx: Transaction) => Promise<T>) => work(tx) });
  return { ...world, sql: sql as unknown as Sql };
}

import { queryable, type Sql } from './connect.ts';
import { DatabaseDown } from './database-down.ts';

/** Stands for a database that was never reached: every query fails as unavailable. */
export function unreachableSql(): Sql {
  const refuse = async (): Promise<never> => {
    throw new DatabaseDown(new Error('this database was not reached yet'));
  };
  const deaf = async () => ({ unlisten: async () => {} });
  return Object.assign(queryable(refuse), {
    begin: refuse,
    reserve: refuse,
    listen: deaf,
    end: async () => {},
    pooling: 'by session' as const,
  });
}

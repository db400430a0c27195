import type { World } from '../world.ts';
import { countSealedByKey } from './queries.ts';
import { sealedColumns } from './seal-again.ts';

/** How many stored secrets no key of the ring opens: a key was mistyped, or left SECRET_KEY before its time. */
export async function countLostSecrets({ sql, secrets }: Pick<World, 'sql' | 'secrets'>): Promise<number> {
  let lost = 0;
  for (const { table, column } of sealedColumns) {
    for (const { mark, count } of await countSealedByKey(sql, table, column))
      if (!secrets.isOpenable(`${mark}.`)) lost += count;
  }
  return lost;
}

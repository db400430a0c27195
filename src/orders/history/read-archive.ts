import type { World } from '../../base/world.ts';
import { readArchivePart } from './queries/archives.ts';

/** A month's archive part by part, so that a large one is never whole in memory; null where there is none. */
export async function readArchive(
  { sql }: Pick<World, 'sql'>,
  merchantId: number,
  month: string,
): Promise<AsyncGenerator<Buffer> | null> {
  const first = await readArchivePart(sql, merchantId, month, 1);
  if (first === null) return null;
  return (async function* parts() {
    let part: Buffer | null = first;
    for (let number = 2; part !== null; number++) {
      yield part;
      part = await readArchivePart(sql, merchantId, month, number);
    }
  })();
}

import { indianDay, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import { openWriteBuffer } from '../../base/open-write-buffer.ts';
import type { World } from '../../base/world.ts';
import type { PresentedKey } from './api-key.ts';
import { addKeyReads, type KeyReads, updateKeyUses } from './queries.ts';

/** A merchant can wait ten seconds to see a key's last use; a write per request would be too expensive. */
const flushEvery = 10 * second;
const mostRemembered = 10_000;

export type KeyUses = ReturnType<typeof openKeyUses>;

/** Notes uses, and orders read per Indian day, in memory, and writes them now and then. A killed process loses some. */
export function openKeyUses({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  const noted = openWriteBuffer<PresentedKey & { at: Date }>(mostRemembered, (_, latest) => latest);
  const counted = openWriteBuffer<KeyReads>(mostRemembered, (known, { reads }) => ({
    ...known,
    reads: known.reads + reads,
  }));
  const count = (reads: KeyReads) => counted.note(reads.hash + reads.day, reads);
  return {
    note: (key: PresentedKey): void => noted.note(key.hash, { ...key, at: clock.now() }),
    noteReads: (key: PresentedKey, reads: number): void =>
      count({ ...key, day: indianDay(clock.now()), reads }),
    async flush(): Promise<void> {
      const reads = counted.take();
      try {
        await addKeyReads(sql, reads);
      } catch (error) {
        reads.forEach(count);
        throw error;
      }
      await updateKeyUses(sql, noted.take());
    },
  };
}

/** Writes the uses regularly, and the last ones when the web server stops. */
export function startFlushing(world: Pick<World, 'sql' | 'log'>, uses: KeyUses): { stop(): Promise<void> } {
  const rhythm = { what: 'noting the use of keys', pause: flushEvery };
  const running = keepWorking(world, rhythm, () => uses.flush());
  return {
    async stop() {
      await running.stop();
      await uses
        .flush()
        .catch(error => world.log.warn({ err: error }, 'the last uses of keys were not noted'));
    },
  };
}

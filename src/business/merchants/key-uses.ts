import { second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import type { PresentedKey } from './api-key.ts';
import { updateKeyUses } from './queries.ts';

/** A merchant who asks "is this key still used?" can wait this long; a write for every request could not. */
const flushEvery = 10 * second;
const mostRemembered = 10_000;

export type KeyUses = ReturnType<typeof openKeyUses>;

/** When keys were last used: noted in memory at every request, written from time to time. */
export function openKeyUses({ sql, clock }: Pick<World, 'sql' | 'clock'>) {
  let noted = new Map<string, PresentedKey & { at: Date }>();
  return {
    note(key: PresentedKey): void {
      if (noted.size >= mostRemembered && !noted.has(key.hash)) return;
      noted.set(key.hash, { ...key, at: clock.now() });
    },
    async flush(): Promise<void> {
      if (noted.size === 0) return;
      const uses = [...noted.values()];
      noted = new Map();
      await updateKeyUses(sql, uses);
    },
  };
}

/** Writes the uses while the web server runs, and the last ones when it stops. */
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

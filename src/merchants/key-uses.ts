import { second } from '../clock.ts';
import { repeat } from '../repeat.ts';
import type { World } from '../world.ts';
import type { PresentedKey } from './api-key.ts';
import { updateKeyUses } from './queries.ts';

/** A merchant who asks "is this key still used?" can wait this long; a write for every request could not. */
const flushEvery = 10 * second;
const mostRemembered = 10_000;

/** When keys were last used: noted in memory for every request, written once in a while. */
export type KeyUses = { note(key: PresentedKey): void; flush(): Promise<void> };

export function openKeyUses({ sql, clock }: Pick<World, 'sql' | 'clock'>): KeyUses {
  let noted = new Map<string, { merchantId: number; hash: Buffer; at: Date }>();
  return {
    note(key) {
      const name = key.hash.toString('base64');
      if (noted.size >= mostRemembered && !noted.has(name)) return;
      noted.set(name, { ...key, at: clock.now() });
    },
    async flush() {
      if (noted.size === 0) return;
      const uses = [...noted.values()];
      noted = new Map();
      await updateKeyUses(sql, uses);
    },
  };
}

/** Writes the uses while the web server runs, and the last ones when it stops. */
export function startFlushing(log: World['log'], uses: KeyUses): { stop(): Promise<void> } {
  const running = repeat(log, 'noting the use of keys', flushEvery, () => uses.flush());
  return {
    async stop() {
      await running.stop();
      await uses.flush().catch(error => log.warn({ err: error }, 'the last uses of keys were not noted'));
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../clock.ts';
import type { World } from '../world.ts';
import { isDatabaseAway } from './database-away.ts';

/** After a failure nothing wakes it for this long: a database that is away is not asked in a tight circle. */
const afterFailure = 1 * second;
/** A round that only our own database has broken off does not wait for an hour. */
const afterAway = 5 * second;
/** A connection that hangs must not hold up the end of the process. */
const unlistenLimit = 1 * second;

type Rhythm = {
  /** For the log: "… failed; it will be tried again". */
  readonly what: string;
  /** The longest wait between two rounds. It finds what no NOTIFY told: one was lost, or a pooler passes none on. */
  readonly pause: number;
  readonly channel?: string;
  /** Wakes that come together are answered together. */
  readonly breath?: number;
};

export type Worker = {
  /** Wakes it. A ring during a round is heard after it. */
  ring(): void;
  /** Comes back when the round under way has ended. */
  stop(): Promise<void>;
};

/**
 * The one loop behind everything that runs beside requests: working → (a NOTIFY, a ring, or the pause is over) →
 * working. Rounds never overlap; a failure is logged and the next round tries again. A round that returns a number
 * waits at most that long instead of the pause; 0 means that there may be more.
 */
export function keepWorking(
  { sql, log }: Pick<World, 'sql' | 'log'>,
  { what, pause, channel, breath }: Rhythm,
  round: (() => Promise<number>) | (() => Promise<void>),
): Worker {
  const stopping = new AbortController();
  let isRung = false;
  let wake = () => {};
  const ring = () => {
    isRung = true;
    wake();
  };
  const wait = async (most: number) => {
    if (isRung || most <= 0) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, most);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      isRung = false;
      try {
        await wait((await round()) ?? pause);
      } catch (error) {
        log.error({ err: error }, `${what} failed; it will be tried again`);
        await sleep(Math.min(pause, afterFailure), null, { signal: stopping.signal }).catch(() => {});
        await wait(isDatabaseAway(error) ? Math.min(pause, afterAway) : pause);
      }
      if (breath !== undefined) await sleep(breath);
    }
  };
  const listening = channel === undefined ? null : hear(channel);
  const working = loop();
  return {
    ring,
    async stop() {
      stopping.abort();
      ring();
      await working;
      if (listening)
        await Promise.race([listening.then(end => end()), sleep(unlistenLimit, null, { ref: false })]);
    },
  };

  async function hear(channel: string): Promise<() => Promise<void>> {
    try {
      const listener = await sql.listen(channel, ring, ring);
      return () => listener.unlisten().catch(() => {});
    } catch (error) {
      log.warn({ err: error, channel }, `${what}: cannot listen, so news are found by looking alone`);
      return async () => {};
    }
  }
}

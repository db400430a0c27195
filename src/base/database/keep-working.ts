import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../clock.ts';
import type { World } from '../world.ts';
import { isDatabaseDown } from './database-down.ts';

/** The pause after a failure, so that a database that is down is not queried in a tight loop. */
const afterFailure = 1 * second;
/** After a database failure, try again soon instead of waiting for the full pause. */
const afterDatabaseDown = 5 * second;
/** A hanging connection must not delay the end of the process. */
const unlistenLimit = 1 * second;

type Rhythm = {
  /** For the log message "… failed; it will be tried again". */
  readonly what: string;
  /** The longest wait between rounds. Polling finds rows whose NOTIFY was lost or not passed on by a pooler. */
  readonly pause: number;
  readonly channel?: string;
  /** Milliseconds in which several wake-ups become one. */
  readonly breath?: number;
};

export type Worker = {
  /** Wakes the worker. A ring during a round takes effect after it. */
  ring(): void;
  /** Resolves when the current round has ended. */
  stop(): Promise<void>;
};

/**
 * The loop behind all background work: work, then wait for a NOTIFY, a ring or the end of the pause. Rounds never
 * overlap. A failure is logged, and the next round tries again. A round may return a shorter wait; 0 means that there
 * may be more work.
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
        await wait(isDatabaseDown(error) ? Math.min(pause, afterDatabaseDown) : pause);
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
      log.warn({ err: error, channel }, `${what}: cannot listen for NOTIFY; polling finds new work instead`);
      return async () => {};
    }
  }
}

import type { Log } from './log.ts';

/** Calls one verb again and again, one call at a time. A failure is logged, and the next turn tries again. */
export function repeat(
  log: Log,
  what: string,
  pause: number,
  verb: () => Promise<void>,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();

  const turn = async () => {
    try {
      await verb();
    } catch (error) {
      log.error({ err: error }, `${what} failed; it will be tried again`);
    }
    if (!stopped) timer = setTimeout(begin, pause);
  };
  const begin = () => {
    underWay = turn();
  };
  begin();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

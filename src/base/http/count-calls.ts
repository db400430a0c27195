import { BoundedMap } from '../bounded-map.ts';
import { stopwatch } from '../clock.ts';

/** Tells whether a caller has exceeded its limit, and if so in how many milliseconds it may call again. */
export type CountCalls = (caller: string) => number | null;

type Window = { caller: string; calls: number; ends: number };

/**
 * Counts the calls of each caller, from its first on for one window and then anew. Of more callers than `mostCallers`
 * the one that was heard longest ago is forgotten, and sooner where its window is over.
 */
export function openCountCalls(limit: number, window: number, mostCallers: number): CountCalls {
  const now = stopwatch();
  const windows = new BoundedMap<string, Window>(mostCallers, ({ ends }) => ends <= now());
  return caller => {
    const time = now();
    // Text of our own: what is cut out of a request would keep all of it in memory.
    const current = windows.get(caller) ?? {
      caller: Buffer.from(caller).toString(),
      calls: 0,
      ends: time + window,
    };
    if (current.ends <= time) Object.assign(current, { calls: 0, ends: time + window });
    windows.set(current.caller, current);
    current.calls++;
    return current.calls > limit ? current.ends - time : null;
  };
}

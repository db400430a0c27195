import { BoundedMap } from '../bounded-map.ts';
import { stopwatch } from '../clock.ts';

/** Returns null within the limit, else the milliseconds until the caller may call again. */
export type CountCalls = (caller: string) => number | null;

type Window = { caller: string; calls: number; ends: number };

/** Counts calls in windows that start with a call. Above `mostCallers` the caller that was idle longest is dropped. */
export function openCountCalls(limit: number, window: number, mostCallers: number): CountCalls {
  const now = stopwatch();
  const windows = new BoundedMap<string, Window>(mostCallers, ({ ends }) => ends <= now());
  return caller => {
    const time = now();
    // Copy the text: a slice of a request would keep the whole request in memory.
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

/** Every reading of the wall clock goes through this, so that tests and the sandbox can own time. */
export type Clock = {
  now(): Date;
  /** What other machines' clocks show at this moment. Set in the sandbox alone, which runs ahead of them. */
  outside?(): Date;
};

export const systemClock: Clock = { now: () => new Date() };

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

export function later(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** Milliseconds since this call. For durations: unlike the wall clock it never jumps. */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => performance.now() - began;
}

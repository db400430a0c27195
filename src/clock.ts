/** Every reading of the wall clock goes through this, so that tests and the sandbox can own time. */
export type Clock = {
  now(): Date;
  /** What other machines' clocks show at this moment. Set in the sandbox alone, which runs ahead of them. */
  outside?(): Date;
  /** Milliseconds by which this machine was last found ahead of the database. */
  skew?: number;
  /** Puts a clock that runs by itself right: this is the time now. */
  correct?(moment: Date): void;
  /**
   * Whether it and the machine's clock have parted since the database was last asked: the machine slept, or somebody
   * set its clock. Whoever writes down a time that money depends on asks again first.
   */
  inDoubt?(): boolean;
  /** The database was asked. */
  settled?(): void;
};

export const systemClock: Clock = { now: () => new Date() };

/**
 * The time as the machine told it at the start, carried on by its monotonic clock: whoever sets the machine's clock
 * while we run does not move ours. A mail would seem to arrive before it was signed, and its payment be lost; an
 * amount would seem free while somebody still may pay it. `watch-clock.ts` puts it right after the machine slept.
 */
export function steadyClock(): Clock {
  let start = systemClock.now().getTime() - performance.now();
  let apart = 0;
  const now = () => new Date(start + performance.now());
  const apartNow = () => systemClock.now().getTime() - now().getTime();
  return {
    now,
    correct(moment) {
      start = moment.getTime() - performance.now();
    },
    inDoubt: () => Math.abs(apartNow() - apart) > mostUnexplained,
    settled() {
      apart = apartNow();
    },
  };
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** More than two clocks of one machine part by themselves between two comparisons. */
const mostUnexplained = 2 * second;

/** Beyond this, two orders on one amount could both seem to wait for one payment. */
export const mostClockSkew = 1 * minute;

export function later(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** Milliseconds since this call. For durations: unlike the wall clock it never jumps. */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => performance.now() - began;
}

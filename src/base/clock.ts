import { uptime } from 'node:os';
import { minute, second } from './durations.ts';

export { day, hour, minute, second } from './durations.ts';

/** Every reading of the wall clock goes through this, so that tests and the sandbox can own time. */
export type Clock = {
  now(): Date;
  /** What other machines' clocks show at this moment. Set in the sandbox alone, which runs ahead of them. */
  outside?(): Date;
  /** Milliseconds by which this machine was last found ahead of the database. */
  skew?: number;
  /** Milliseconds by which machine and database together were last found ahead of us: somebody set the clocks. */
  jump?: number;
  /** It is not known which of the clocks is right: no order is created. */
  unsettled?: boolean;
  /**
   * Whether it and the machine's clock have parted since the database was last asked, and not by a sleep. Whoever
   * writes down a time that money depends on asks again first.
   */
  inDoubt?(): boolean;
  /** Takes the database's time; `doubt` is how exact it is. `base/steady-clock.ts` decides what becomes of ours. */
  compare?(database: Date, doubt: number): Comparison;
};

type Comparison = { jump: number; unsettled: boolean };

export const systemClock: Clock = { now: () => new Date() };

/** The three clocks of a machine, in milliseconds. The last two count from some moment in the past. */
export type Machine = {
  /** Anybody may set it. */
  wall(): number;
  /** Nobody can set it, and it goes on while the machine sleeps; known to a hundredth of a second. */
  sinceBoot(): number;
  /** Nobody can set it, and it is exact, but it stands still while the machine sleeps. */
  running(): number;
};

export const thisMachine: Machine = {
  wall: () => Date.now(),
  sinceBoot: () => uptime() * second,
  running: () => performance.now(),
};

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

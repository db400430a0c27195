import { uptime } from 'node:os';
import { hour, minute, second } from './durations.ts';

export { day, hour, minute, second } from './durations.ts';

/** All code reads the wall clock through this, so that tests and the sandbox can set the time. */
export type Clock = {
  now(): Date;
  /** The real time on other machines. Only set in the sandbox, whose time runs ahead. */
  outside?(): Date;
  /** Milliseconds by which this machine was last ahead of the database. */
  skew?: number;
  /** Milliseconds by which machine and database together were last ahead of us, because somebody set their clocks. */
  jump?: number;
  /** True while we do not know which clock is right; then no orders are created. */
  unsettled?: boolean;
  /** True if our time and the machine's clock have diverged: compare before storing a time that money depends on. */
  inDoubt?(): boolean;
  /** Compares with the database's time; `doubt` is the measurement's inexactness. See `base/steady-clock.ts`. */
  compare?(database: Date, doubt: number): Comparison;
};

type Comparison = { jump: number; unsettled: boolean };

export const systemClock: Clock = { now: () => new Date() };

/** A machine's three clocks, in milliseconds. The last two count from an arbitrary moment. */
export type Machine = {
  /** It can be set. */
  wall(): number;
  /** It cannot be set and also counts during sleep; exact to a hundredth of a second. */
  sinceBoot(): number;
  /** It cannot be set and is exact, but stops during sleep. */
  running(): number;
};

export const thisMachine: Machine = {
  wall: () => Date.now(),
  sinceBoot: () => uptime() * second,
  running: () => performance.now(),
};

/** With more skew, two orders with the same amount could seem to wait for one payment. */
export const mostClockSkew = 1 * minute;

export function later(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

/** India has one time zone without daylight saving, so all its days are equally long. */
export const indiaAhead = 5.5 * hour;

/** The day in India as YYYY-MM-DD. */
export function indianDay(at: Date): string {
  return later(at, indiaAhead).toISOString().slice(0, 10);
}

/** Measures milliseconds since this call. Unlike the wall clock it never jumps. */
export function stopwatch(): () => number {
  const began = performance.now();
  return () => performance.now() - began;
}

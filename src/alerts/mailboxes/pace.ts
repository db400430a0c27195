import { hour, minute, second } from '../../base/clock.ts';

/** Every time span of the watcher. They are arguments, so that tests need not wait for them. */
export const usualPace = {
  /** The catch-up runs at least this often, whether IDLE reports news or not. */
  poll: 30 * second,
  /** No single command takes longer; with `poll` it limits how long a dead connection goes unnoticed (60 s). */
  command: 20 * second,
  /** Opening a folder and searching by date take long in a mailbox of hundreds of thousands of mails. */
  slowCommand: 45 * second,
  /** The pause between two checks after the server's news, so that a server cannot keep us busy. */
  breath: 0.2 * second,
  /** Name lookup, connecting, TLS, greeting and login together. */
  connect: 30 * second,
  backOffLeast: 1 * second,
  backOffMost: 30 * second,
  /** After a connection that lived this long, the next failure starts at `backOffLeast` again. */
  goodAfter: 60 * second,
  /** After this many refused logins in a row, tries come only every `refusedLogin`, or the account may be locked. */
  loginTries: 3,
  firstLogins: 10 * second,
  refusedLogin: 5 * minute,
  /** A server that asks for patience gets a longer pause each time. */
  busyLeast: 5 * second,
  busyMost: 5 * minute,
  /** How often the last day's mails are compared with those seen. */
  compare: 15 * minute,
  compareSpan: 24 * hour,
  /** How far back to look when a folder gets new UIDs. */
  rescanSpan: 48 * hour,
  /** How far back to look at the first connect if no order is open. */
  firstSpan: 20 * minute,
  /** The lease of a mailbox, and how often it is renewed: a dead process is replaced within their sum. */
  lease: 20 * second,
  share: 5 * second,
};
export type Pace = typeof usualPace;

/** 1, 2, 4 … seconds up to the limit, randomly shortened by up to half, so that a thousand do not return at once. */
export function backOff(pace: Pace, failures: number, chance: () => number = Math.random): number {
  return growing(pace.backOffLeast, pace.backOffMost, failures, chance);
}

export function backOffBusy(pace: Pace, failures: number, chance: () => number = Math.random): number {
  return growing(pace.busyLeast, pace.busyMost, failures, chance);
}

function growing(least: number, most: number, failures: number, chance: () => number): number {
  const full = Math.min(most, least * 2 ** Math.min(failures - 1, 20));
  return full * (1 - chance() / 2);
}

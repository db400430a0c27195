import { hour, minute, second } from '../clock.ts';

/** Every time span of the watcher. Arguments, so that tests need not wait for them. */
export type Pace = {
  /** The catch-up runs at least this often, whatever IDLE says. */
  poll: number;
  /** No single command waits longer; with `poll` it bounds how long a dead link goes unnoticed (60 s). */
  command: number;
  /** Opening a folder and searching by date take long in a mailbox of hundreds of thousands of mails. */
  slowCommand: number;
  /** Between two looks that the server's news ask for: a server must not keep us running. */
  breath: number;
  /** Name, dial, TLS, greeting and login together. */
  connect: number;
  backOffLeast: number;
  backOffMost: number;
  /** A connection that lived this long was a good one: the next failure starts at `backOffLeast` again. */
  goodAfter: number;
  /** After this many refused logins in a row the account is tried only every `refusedLogin`, lest it be locked. */
  loginTries: number;
  firstLogins: number;
  refusedLogin: number;
  /** How often the mails of the last day are compared with those seen. */
  compare: number;
  compareSpan: number;
  /** How far back to look when a folder numbers its mails anew. */
  rescanSpan: number;
  /** How far back to look at the first connect when no order is open. */
  firstSpan: number;
  /** The lease of a mailbox, and how often it is renewed: a dead process is replaced within their sum. */
  lease: number;
  share: number;
};

export const usualPace: Pace = {
  poll: 30 * second,
  command: 20 * second,
  slowCommand: 45 * second,
  breath: 0.2 * second,
  connect: 30 * second,
  backOffLeast: 1 * second,
  backOffMost: 30 * second,
  goodAfter: 60 * second,
  loginTries: 3,
  firstLogins: 10 * second,
  refusedLogin: 5 * minute,
  compare: 15 * minute,
  compareSpan: 24 * hour,
  rescanSpan: 48 * hour,
  firstSpan: 20 * minute,
  lease: 20 * second,
  share: 5 * second,
};

/** 1, 2, 4 … seconds up to the most, each made up to a half shorter by chance, so that a thousand do not return at once. */
export function backOff(pace: Pace, failures: number, chance: () => number = Math.random): number {
  const full = Math.min(pace.backOffMost, pace.backOffLeast * 2 ** Math.min(failures - 1, 20));
  return full * (1 - chance() / 2);
}

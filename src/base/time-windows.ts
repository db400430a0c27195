import { minute } from './durations.ts';

/** §3: payable for five minutes from creation. */
export const payableTime = 5 * minute;

/** §3: a late alert can still pay an expired order within ten minutes after expiry. */
export const lateWindow = 10 * minute;

/** The bank's clock may be slow: an alert up to a minute older than its order still matches it. */
export const earlyWindow = 1 * minute;

/** An amount is held this much longer than it can be paid, so that two acceptance windows never touch (R3). */
export const guardTime = 2 * minute;
